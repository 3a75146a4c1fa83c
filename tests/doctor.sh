# SPDX-License-Identifier: MIT
# hpdoctor says of each thing what is so, wherever it runs, and changes nothing
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/target.sh"

unset LD_PRELOAD GLIBC_TUNABLES MALLOC_CONF
unset $(env | sed -n 's/^\(LIBHP_[A-Z]*\)=.*/\1/p')

outputs hpdoctor
for bad in --try=x --try=-1 --try=1000001 --pages=3M --pages=; do
	run 125 hpdoctor "$bad"
	complains "${bad%%=*}: bad value '${bad#*=}': give"
done
run 125 hpdoctor --try
complains "needs a value"
run 125 hpdoctor 1 2
complains "one at a time"
run 125 hpdoctor --fix --json
complains "--fix"
run 125 hpdoctor --all
complains "--all needs a PID"
for option in --pages=thp --try=0; do
	run 125 hpdoctor "$option" $$
	complains "without a PID"
done

# 0 to 2, and the verdict says so in words
verdict()
{
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	out=$(cat "$tmp/out")
	expect "stderr of $*" "" "$(cat "$tmp/err")"
	case $status-$out in
	0-good:* | 1-limited:* | 2-cannot:*) ;;
	*) fail "$* ended with $status and says $out" ;;
	esac
}

verdict hpdoctor
for id in kernel thp.enabled thp.fault memory.slots cgroup.memory \
	limits.rlimit host.container env.libhp; do
	grep -qE "^(ok|limits|unknown) +$id " "$tmp/out" ||
		fail "nothing of $id in: $out"
done
hpdoctor --json >"$tmp/out"
expect "status of --json" $status $?
valid doctor
verdict hpdoctor --try=0
says "not tried"

# a script to read: it is shell, and runs nothing by itself
hpdoctor --fix >"$tmp/out"
sh -n "$tmp/out" || fail "--fix prints no shell script"

# what the environment does to a program
GLIBC_TUNABLES=glibc.malloc.hugetlb=1 hpdoctor >"$tmp/out" && fail "good"
grep -q "^limits   env.allocator .*GLIBC_TUNABLES" "$tmp/out" ||
	fail "nothing of GLIBC_TUNABLES"
LIBHP_MODE=fast hpdoctor >"$tmp/out" && fail "good"
says "LIBHP_MODE is not used"
LIBHP_MODE=fast hpdoctor --fix >"$tmp/out"
says "# in the shell that starts the program: unset LIBHP_MODE"
LIBHP_PAGES=2M,thp hpdoctor --json >"$tmp/out"
expect "pages" "['2M', 'thp']" "$(figure 'o["pages"]')"
(ulimit -S -v 4000000 && exec hpdoctor) >"$tmp/out" 2>&1 && fail "good"
says "\$ ulimit -S -v unlimited"

# a library with a malloc, and one without
echo 'extern void *__libc_malloc(unsigned long);
void *malloc(unsigned long n) { return __libc_malloc(n); }' >"$tmp/a.c"
echo 'int nothing(void) { return 0; }' >"$tmp/b.c"
for lib in a b; do
	$CC -shared -fPIC -fno-builtin -o "$tmp/$lib.so" "$tmp/$lib.c" ||
		skip "needs to build shared libraries"
done
state()
{
	figure "[f['state'] for f in o['findings'] if f['id'] == 'env.preload']"
}
need_program python3
hpdoctor --json >"$tmp/out"
expect "nothing preloaded" "['ok']" "$(state)"
LD_PRELOAD=$tmp/b.so hpdoctor --json >"$tmp/out"
expect "a library without malloc" "['ok']" "$(state)"
LD_PRELOAD=$tmp/a.so hpdoctor --json >"$tmp/out"
expect "a library with malloc" "['limits']" "$(state)"

# a process: what is huge, small, refused, absent
start_target "$top_builddir/tests/case_target" 4 2 3
verdict hpdoctor $target
grep -qE "^[0-9a-f]+-[0-9a-f]+ +3 .* small +program-advice" "$tmp/out" ||
	fail "three refused slots are not in: $out"
run $status hpdoctor --json $target
valid doctor-process
expect "every byte that is present is told, near enough" True "$(figure '
abs(sum(r["present_bytes"] for r in o["ranges"]) -
    o["process"]["present_bytes"]) <= 4 << 20')"
run $status hpdoctor --all $target
[ "$(wc -l <"$tmp/out")" -gt 20 ] || fail "--all lists few mappings: $out"
end_target
run 125 hpdoctor $target
complains "no such process"

# as somebody else: what may not be read is not shown as nothing
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 "$tmp" && cp "$(command -v hpdoctor)" "$tmp/" || exit 99
	other="setpriv --reuid=65534 --regid=65534 --clear-groups"
	if $other "$tmp/hpdoctor" --version >/dev/null 2>&1; then
		verdict $other "$tmp/hpdoctor"
		says_not "Permission denied"
		run 125 $other "$tmp/hpdoctor" $$
		complains "CAP_SYS_PTRACE"
	fi
fi

# in a container that hides /sys, and then /proc
unshare -rm true 2>/dev/null || skip "needs user namespaces; the rest was checked"
hidden()
{
	unshare -rm sh -c 'for dir in '"$1"'; do
		mount -t tmpfs none $dir || exit 99; done
		exec "$0" "$@"' "$(command -v hpdoctor)" --json >"$tmp/out" 2>"$tmp/err"
	[ $? = 1 ] || fail "without $1: status $?, $(cat "$tmp/err")"
	valid doctor
}
named()
{
	figure "sorted(f['id'] for f in o['findings'] if f['state'] == '$1'
		and f['id'].split('.')[0] in ('thp', 'memory', 'hugetlb'))"
}
hidden /sys
for id in thp.defrag thp.enabled thp.khugepaged thp.size; do
	named unknown | grep -q "'$id'" || fail "without /sys, $id is known: $out"
done
hidden "/sys /proc"
for id in memory.slots thp.collapse thp.enabled thp.fault; do
	named unknown | grep -q "'$id'" || fail "without /proc, $id is known: $out"
done
expect "what limits" "[]" "$(named limits)"
