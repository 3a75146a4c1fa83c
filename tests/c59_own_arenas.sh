# SPDX-License-Identifier: MIT
# A program that uses jemalloc's own interface gets no block twice, whatever
# arena it takes it from.
# From: jemalloc's test/integration/xallocx.c and extent.c.
. "$top_srcdir/tests/case.sh"

backends="thp:4M thp:0"
same "$here/case_own_arenas"
same LIBHP_MODE=off "$here/case_own_arenas"
