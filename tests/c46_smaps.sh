# SPDX-License-Identifier: MIT
# smaps_rollup may be missing, older, newer, forbidden, or of a process that
# has gone: fields are found by name, and unknown is not zero.
# From: systemd-bootchart PR #50, psutil PR #2284, ps_mem PR #10.
. "$top_srcdir/tests/case.sh"

need_program unshare mount
query=$here/case_process
gone=$(sh -c 'echo $$')

case $("$query" "$gone") in
"unknown: ESRCH" | "unknown: ENOENT") ;;
*) fail "a process that has gone: $("$query" "$gone")" ;;
esac
if is_root; then
	expect "pid 1 as another user" "unknown: EACCES" "$(setpriv \
		--reuid=65534 --regid=65534 --clear-groups "$query" 1)"
else
	expect "pid 1 as an ordinary user" "unknown: EACCES" "$("$query" 1)"
fi

unshare -rm true 2>/dev/null || skip "no user namespaces for us"
mkdir "$tmp/self"

# with_proc WANTED: what the query says of the fixtures in $tmp/self
with_proc()
{
	expect "$1" "$2" "$(unshare -rm sh -ec "
		mount -t tmpfs none /proc
		cp -r '$tmp/self' /proc/self
		cp -r '$tmp/self' /proc/\$\$
		exec '$query'" 2>&1)"
}

head_line='55d0c0a00000-7ffd3c5f2000 ---p 00000000 00:00 0          [rollup]'

# Linux 4.14: no Pss_Dirty, Pss_Anon, FilePmdMapped
cat >"$tmp/self/smaps_rollup" <<EOT
$head_line
Rss:               10000 kB
Pss:                9000 kB
Shared_Clean:        500 kB
Shared_Dirty:          0 kB
Private_Clean:         0 kB
Private_Dirty:      9500 kB
Referenced:        10000 kB
Anonymous:          9000 kB
LazyFree:              0 kB
AnonHugePages:      6144 kB
ShmemPmdMapped:        0 kB
Shared_Hugetlb:        0 kB
Private_Hugetlb:    4096 kB
Swap:                  0 kB
SwapPss:               0 kB
Locked:                0 kB
EOT
kb()
{
	echo "present $((($1) * 1024)) huge $((($2) * 1024))" \
		"hugetlb $((($3) * 1024)) thp $((($4) * 1024))"
}
with_proc "rollup of 4.14" "$(kb 10000+4096 6144+4096 4096 6144)"

# a newer kernel, with more fields, and numbers beyond 32 bits
cat >"$tmp/self/smaps_rollup" <<EOT
$head_line
Rss:           5368709120 kB
Pss:                9000 kB
Pss_Dirty:          8000 kB
AnonHugePagesMapped: 777 kB
AnonHugePages:  4300000000 kB
ShmemPmdMapped:     2048 kB
FilePmdMapped:      4096 kB
Shared_Hugetlb:     2048 kB
Private_Hugetlb:    2048 kB
SomethingNew:        999 kB
THPeligible:           1
WithoutUnit: 17
EOT
with_proc "rollup of the future" \
	"$(kb 5368709120+4096 4300000000+6144+4096 4096 4300000000+6144)"

# no rollup: the sum over smaps, and a mapping named to
# mislead (the kernel writes a newline in a name as \012)
rm "$tmp/self/smaps_rollup"
cat >"$tmp/self/smaps" <<EOT
7f0000000000-7f0000800000 rw-p 00000000 00:00 0
Size:               8192 kB
KernelPageSize:        4 kB
Rss:                8192 kB
AnonHugePages:      6144 kB
ShmemPmdMapped:        0 kB
FilePmdMapped:         0 kB
Shared_Hugetlb:        0 kB
Private_Hugetlb:       0 kB
VmFlags: rd wr mr mw me ac sd hg
7f0000800000-7f0000900000 r--p 00000000 08:01 1234  /x\012AnonHugePages: 999 kB
Size:               1024 kB
Rss:                 512 kB
AnonHugePages:         0 kB
Private_Hugetlb:       0 kB
VmFlags: rd mr mw me
7f0000a00000-7f0000e00000 rw-p 00000000 00:0f 77  /anon_hugepage (deleted)
Size:               4096 kB
KernelPageSize:     2048 kB
Rss:                   0 kB
AnonHugePages:         0 kB
Shared_Hugetlb:        0 kB
Private_Hugetlb:    4096 kB
VmFlags: rd wr mr mw me de ht
EOT
with_proc "the sum of smaps" "$(kb 8192+512+4096 6144+4096 4096 6144)"

rm "$tmp/self/smaps"
with_proc "neither file" "unknown: ENOENT"
: >"$tmp/self/smaps_rollup"
case $(unshare -rm sh -ec "mount -t tmpfs none /proc
	cp -r '$tmp/self' /proc/self; exec '$query'" 2>&1) in
unknown:*) ;;
*) fail "an empty rollup counts as zero" ;;
esac
