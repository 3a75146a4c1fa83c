# SPDX-License-Identifier: MIT
# A program's own THP advice on a block ends with the block.
# From: numpy #31590, golang #64332, jemalloc PR #27, PR #1704.
. "$top_srcdir/tests/case.sh"

need_program python3
want_thp madvise

hp LIBHP_START=0 LIBHP_REPORT="json:$tmp/r.json" "$here/case_advice" nohuge
ended "MADV_NOHUGEPAGE by the program" 0
if [ "$(figure huge_kb)" -lt $((3 * $(pmd_kib))) ]; then
	at_least "slots reported as lost to the program's advice" 1 \
		"$(value "$tmp/r.json" reasons.program-advice)"
fi

hp LIBHP_MODE=off "$here/case_advice" huge
ended "MADV_HUGEPAGE by the program, LIBHP_MODE=off" 0
expect "huge kB of the next block in off mode" 0 "$(figure huge_kb)"

# what it wants no huge pages for keeps that when it is grown
backends="thp:4M thp:0"
same "$here/case_refused"
