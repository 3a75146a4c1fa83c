# SPDX-License-Identifier: MIT
# mmap and munmap in a signal handler that interrupts the allocator: what is
# a system call without libhp must not take a lock or allocate with it.
# From: dd-trace-js #6052, gperftools #1094, backward-cpp #97.
. "$top_srcdir/tests/case.sh"

want_pool 16
backends="thp:0 2M:0"
plain echo ok
each_backend as_plain timeout 20 "$here/case_signal_map"
