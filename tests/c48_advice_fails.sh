# SPDX-License-Identifier: MIT
# Advice and collapse may fail with anything, on any kernel: the program does
# not notice, the report does not claim.
# From: golang #63334, #61718, jemalloc PR #2750, sdc PR #425.
. "$top_srcdir/tests/case.sh"

need_program python3
rc=0
"$here/case_collapse" >"$tmp/hp.out" 2>"$tmp/hp.err" || rc=$?
[ "$rc" = 77 ] && note "MADV_COLLAPSE not tried: this kernel lacks it" ||
	ended "what the kernel promises of MADV_COLLAPSE" 0

want_pool 16
# in_spite_of CALL ERRNO: the program under the preload, the call failing
in_spite_of()
{
	same LIBHP_REPORT="json:$tmp/r.json" \
		"$here/case_deny" "$1" "$2" "$here/case_fill" 32
}

for errno in 22 38 1 12; do
	in_spite_of madvise $errno
	expect "huge bytes without madvise ($errno)" 0 \
		"$(value "$tmp/r.json" managed.huge_bytes)"
	expect "verdict without madvise ($errno)" none \
		"$(value "$tmp/r.json" verdict)"
done
for call in prctl ioctl sched_getaffinity mbind mincore; do
	for errno in 1 22 38; do
		in_spite_of $call $errno
	done
done
# without PAGEMAP_SCAN smaps must answer, or nothing: never 0 of present
in_spite_of ioctl 25
case $(value "$tmp/r.json" managed.huge_bytes) in
0) fail "without ioctl the report claims that nothing is huge" ;;
esac
