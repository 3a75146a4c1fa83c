# SPDX-License-Identifier: MIT
# Unmapping by small pages, whatever backs them: the call succeeds, the range
# is gone, the rest keeps its bytes.
# From: memmap2-rs #156, snabb PR #1459, firecracker PR #6043, node #15426.
. "$top_srcdir/tests/case.sh"

want_pool 64
for mmap in pack align off; do
	same LIBHP_MMAP=$mmap "$here/case_munmap"
done
