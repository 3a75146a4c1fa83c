# SPDX-License-Identifier: MIT
# Thread-local storage: libhp.so fits the loader's surplus and can be opened
# later; the preload's is there before any thread, so a constructor may wait
# for one that allocates, and nobody for the loader's lock.
# From: jemalloc #937, #1237, #2472, mimalloc #147.
. "$top_srcdir/tests/case.sh"

# tls FILE: bytes of thread-local storage it asks the loader for
tls()
{
	echo $(($(readelf -lW "$1" |
		awk '$1 == "TLS" { print $6; n = 1 } END { if (!n) print 0 }')))
}

need_program readelf
# 512 is the default of glibc.rtld.optional_static_tls
at_most "TLS of libhp.so" 512 "$(tls "$HP_LIB")"
readelf -dW "$HP_PRELOAD" | grep -q STATIC_TLS ||
	[ "$(tls "$HP_PRELOAD")" = 0 ] ||
	fail "the preload has dynamic TLS, which allocates at its first touch"

expect "dlopen of libhp.so" ok "$("$here/case_dlopen" "$HP_LIB")"
if have python3; then
	expect "ctypes" ok "$(HP=$HP_LIB python3 -c '
import ctypes, os
ctypes.CDLL(os.environ["HP"])
print("ok")')"
fi
! "$NM" -D --defined-only "$HP_LIB" |
	grep -qwE 'malloc|calloc|realloc|free|mmap|munmap' ||
	fail "libhp.so takes over the program's heap or mappings"

same "$here/case_dlopen" "$here/case_ctor.so"
same "$here/case_exit_locked" "$here/case_hold.so"

# Beside an auditor ld.so sets aside 1.8 KB for all libraries together, and
# refuses any preloaded library with more, libjemalloc.so included, unless
# told; hprun tells it.
room=GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192
same LD_AUDIT="$here/case_audit.so" $room /bin/true
LD_AUDIT="$here/case_audit.so" hprun --require 0 -- /bin/true ||
	fail "hprun beside an auditor: status $?"
