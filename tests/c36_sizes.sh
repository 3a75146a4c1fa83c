# SPDX-License-Identifier: MIT
# Zero, PTRDIFF_MAX and products that wrap: glibc's answers and errno.
# From: mimalloc #121, jemalloc #1581, snmalloc PR #460, shadow PR #1095.
. "$top_srcdir/tests/case.sh"

want_pool 16
same "$here/case_sizes"
same LIBHP_MODE=off "$here/case_sizes"
