# SPDX-License-Identifier: MIT
# A signal handler that interrupted malloc or mmap forks: fork is
# async-signal-safe, and crash reporters and shells rely on it.
. "$top_srcdir/tests/case.sh"

want_pool 16
for mmap in pack align off; do
	same LIBHP_MMAP=$mmap "$here/case_fork_handler"
done
