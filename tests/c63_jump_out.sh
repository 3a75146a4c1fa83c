# SPDX-License-Identifier: MIT
# A signal handler leaves mmap and munmap by siglongjmp: in a system call no
# lock stays behind that keeps other threads, or a fork, waiting.
. "$top_srcdir/tests/case.sh"

backends="thp:0"
plain "$here/case_jump"
for with in LIBHP_MMAP=pack LIBHP_MMAP=align LIBHP_MMAP=off LIBHP_SITES=1; do
	each_backend as_plain "$with" LIBHP_REPORT="$tmp/report" \
		timeout 40 "$here/case_jump"
done
