# SPDX-License-Identifier: MIT
# Protection, advice, locks and mappings a program put on part of a block end
# with the block, though its neighbours in the slot live on.
. "$top_srcdir/tests/case.sh"

backends="thp:4M thp:0"
for how in none read wipeonfork dontfork lock dontneed unmap reserve shared; do
	same "$here/case_changed" $how
	same "$here/case_changed" $how raw
done
same LIBHP_MMAP=off "$here/case_changed" none
same LIBHP_MODE=off "$here/case_changed" unmap
