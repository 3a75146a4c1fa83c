# SPDX-License-Identifier: MIT
# The malloc family is replaced as a whole, and blocks of libc's own malloc
# that reach it are recognised.
# From: systemd #25240, #22801, #20931, rpmalloc #374, drmemory #94.
. "$top_srcdir/tests/case.sh"

want_pool 16
same "$here/case_family"
same LIBHP_MODE=off "$here/case_family"
same "$here/case_deepbind" "$here/case_plugin.so"
