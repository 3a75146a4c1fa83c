# SPDX-License-Identifier: MIT
# MADV_DONTNEED on part of a huge page returns zeroes there and nowhere else.
# From: gperftools #1397, #1237, openjdk PR #31524, elfuse PR #3.
. "$top_srcdir/tests/case.sh"

want_pool 16
for mmap in pack align off; do
	same LIBHP_MMAP=$mmap "$here/case_dontneed"
done
