# SPDX-License-Identifier: MIT
# What a program does to pages of a block of the heap happens to these pages,
# also where the heap lies on hugetlb pages, which the kernel does not cut.
# From: LTP's thp02 with LIBHP_PAGES=2M.
. "$top_srcdir/tests/case.sh"

want_pool 32
same "$here/case_block_calls"
same "$here/case_block_calls" thread
for how in none read wipeonfork dontfork lock dontneed unmap reserve shared; do
	same "$here/case_changed" $how
done
