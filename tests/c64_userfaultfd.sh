# SPDX-License-Identifier: MIT
# What a program registers with userfaultfd is what it gets faults of: memory
# that comes later is not registered with it, and new mappings have no page yet.
# From: userfaultfd(2), as QEMU's postcopy and CRIU's lazy pages use it.
. "$top_srcdir/tests/case.sh"

plain "$here/case_userfaultfd" block
[ $plain_rc != 77 ] || skip "userfaultfd is not permitted"
backends="thp:4M thp:0"
for what in block maps fresh filled; do
	same "$here/case_userfaultfd" $what
	same LIBHP_MMAP=align "$here/case_userfaultfd" $what
done
