# SPDX-License-Identifier: MIT
# errno is 0 at main and free leaves it alone, also when the system calls
# inside fail.
# From: jemalloc #1873, jemalloc PR #29, hardened_malloc PR #324, crun #2153.
. "$top_srcdir/tests/case.sh"

same "$here/case_errno"
same LIBHP_MODE=off "$here/case_errno"
same "$here/case_no_thp" "$here/case_errno"
if is_root; then
	want_pool 0
	same "$here/case_errno"
	need_thp never
	same "$here/case_errno"
	want_pool 16
	same "$here/case_errno"
else
	note "empty pool and THP never not tried: not root"
fi
