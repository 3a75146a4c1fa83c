# SPDX-License-Identifier: MIT
# Protection, advice, locks, policy and mappings a program put on part of a
# block end with the block, though its neighbours in the slot live on; also
# where the call failed half-way.
. "$top_srcdir/tests/case.sh"

backends="thp:4M thp:0"
for how in none read wipeonfork dontfork lock dontneed unmap reserve shared; do
	same "$here/case_changed" $how
	same "$here/case_changed" $how raw
done
same LIBHP_MMAP=off "$here/case_changed" none
same LIBHP_MMAP=off "$here/case_changed" moved
same LIBHP_MODE=off "$here/case_changed" unmap

backends="thp:0"
for how in lock_half hugetlb moved segment segment_read segment_gone \
	process_guard process_fork bind; do
	same "$here/case_changed" $how
	[ $how = bind ] || same "$here/case_changed" $how raw
done
