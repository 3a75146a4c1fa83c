# SPDX-License-Identifier: MIT
# hpdoctor names the setting that keeps memory off huge pages, and the command
# it prints mends that
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/target.sh"

need_root
need_thp madvise
unset LD_PRELOAD GLIBC_TUNABLES MALLOC_CONF
unset $(env | sed -n 's/^\(LIBHP_[A-Z]*\)=.*/\1/p')

# state ID: of the last run
state()
{
	sed -n "s/^\([a-z]*\) *$1 .*/\1/p" "$tmp/out"
}

examine()
{
	hpdoctor "$@" >"$tmp/out" 2>&1
	status=$?
	out=$(cat "$tmp/out")
}

# mend ID: run the command that is printed for it, and no other
mend()
{
	command=$(hpdoctor --fix | sed -n "/^# $1:/,/^\$/{/^[^#]/p}")
	[ -n "$command" ] || fail "--fix has nothing for $1"
	eval "$command" || fail "'$command' does not work"
}

examine
expect "state of thp.enabled" ok "$(state thp.enabled)"
expect "state of thp.fault" ok "$(state thp.fault)"
usual=$status

# a kernel that cuts up the huge zero page, unless there is none
if [ "$(state thp.zero_page)" = limits ]; then
	set_kernel $thp/use_zero_page 1
	mend thp.zero_page
	examine
	usual=$status
fi
expect "state of thp.zero_page" ok "$(state thp.zero_page)"

set_kernel $thp/enabled never
examine
expect "status when THP is never" 2 $status
expect "state of thp.enabled" limits "$(state thp.enabled)"
expect "state of thp.fault" limits "$(state thp.fault)"
says "see thp.enabled"
mend thp.enabled
examine
expect "status when mended" $usual $status

# MADV_COLLAPSE works all the same, so memory can still be promoted
set_kernel $thp/enabled never
start_target "$top_builddir/tests/case_target" 4
examine $target
expect "status of a process when THP is never" 2 $status
says "sysfs-never"
end_target
set_kernel $thp/enabled madvise

size=$thp/hugepages-$(pmd_kib)kB/enabled
if [ -e "$size" ]; then
	set_kernel "$size" never
	examine
	expect "status when the size is never" 2 $status
	says "see thp.size"
	mend thp.size
	examine
	expect "status when mended" $usual $status
fi

set_kernel $thp/defrag never
examine
expect "state of thp.defrag" limits "$(state thp.defrag)"
mend thp.defrag
examine
expect "state of thp.defrag" ok "$(state thp.defrag)"

# inherited from an ancestor, which is named
no_thp=$top_builddir/tests/case_no_thp
if [ -x "$no_thp" ]; then
	"$no_thp" sh -c 'hpdoctor; echo status $?' >"$tmp/out" 2>&1
	out=$(cat "$tmp/out")
	expect "state of thp.prctl" limits "$(state thp.prctl)"
	says "status 2"
	grep -qE 'below PID [0-9]+' "$tmp/out" || fail "no ancestor in: $out"
fi

# the pool: empty, filled, and used up
need_pool 0
kib=$(pmd_kib)
page=$((kib / 1024))M
examine --pages=$page,thp
expect "state of an empty pool" limits "$(state hugetlb.$page)"
examine
expect "state of a pool nobody asks for" ok "$(state hugetlb.$page)"
examine --pages=$page
expect "status with an empty pool alone" 2 $status
need_pool 4
examine --pages=$page
expect "state of a pool of 4" ok "$(state hugetlb.$page)"
[ $status != 2 ] || fail "a pool of 4 pages cannot be had: $out"
expect "pages of the pool afterwards" 4 "$(cat "$pool/free_hugepages")"

need_program python3
python3 -c 'import mmap, sys
m = mmap.mmap(-1, int(sys.argv[1]),
              flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)
for at in range(0, len(m), len(m) // 4):
    m[at] = 1
print("ready", flush=True)
sys.stdin.read()
print("intact")' $((4 * kib * 1024)) </dev/null >/dev/null ||
	skip "needs hugetlb pages of the default size; the rest was checked"
start_target python3 -c 'import mmap, sys
m = mmap.mmap(-1, int(sys.argv[1]),
              flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)
for at in range(0, len(m), len(m) // 4):
    m[at] = 1
print("ready", flush=True)
sys.stdin.read()
print("intact")' $((4 * kib * 1024))
examine --pages=$page,thp
expect "state of a used up pool" limits "$(state hugetlb.$page)"
says "4 pages, 0 free"
examine $target
grep -qE "^[0-9a-f-]+ +4 .* hugetlb " "$tmp/out" ||
	fail "four hugetlb pages are not in: $out"
end_target
