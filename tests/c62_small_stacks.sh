# SPDX-License-Identifier: MIT
# Memory is given back on a thread's smallest stack and on a coroutine's 8 KiB:
# what libhp does then, and its report at exit, needs no more than malloc does.
. "$top_srcdir/tests/case.sh"

need_program python3
backends="thp:0 thp:4M"
report=$tmp/report.json

# went_back WHAT: as plain, after memory went back on such a stack
went_back()
{
	as_plain "$1"
	at_least "$1: slots broken up" 1 "$(value "$report" events.broken)"
}

for leave in "" thread coroutine; do
	plain "$here/case_small_stack" $leave
	for sites in 0 1; do
		each_backend went_back LIBHP_REPORT="json:$report" \
			LIBHP_SITES=$sites "$here/case_small_stack" $leave
	done
done

backends="thp:0"
plain "$here/case_small_stack"
for with in LIBHP_BLOAT=0 LIBHP_REQUIRE=0 LIBHP_MMAP=align LIBHP_MMAP=off; do
	each_backend went_back $with LIBHP_REPORT="json:$report" \
		"$here/case_small_stack"
done
