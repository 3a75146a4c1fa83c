# SPDX-License-Identifier: MIT
# Tools that own malloc or the address space themselves: valgrind still finds
# its leak, AddressSanitizer starts or says its own word.
# From: mimalloc #251, sanitizers #796, #786, #690, #997.
. "$top_srcdir/tests/case.sh"

want_pool 16

if have valgrind; then
	plain valgrind --leak-check=full --error-exitcode=9 "$here/case_leak"
	expect "valgrind without libhp" 9 "$plain_rc"
	for pages in thp 2M; do
		hp LIBHP_PAGES=$pages valgrind --leak-check=full \
			--error-exitcode=9 "$here/case_leak"
		as_plain "valgrind, $pages"
		grep -q "definitely lost: 100 bytes in 1 blocks" \
			"$tmp/hp.err" || fail "valgrind, $pages: no leak found"
	done
else
	note "valgrind not tried: it is not installed"
fi

# sanitized COMPILER NAME: the hello of a sanitizer user
sanitized()
{
	cat >"$tmp/a.c" <<-'C'
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		int main(void)
		{
			char *p = malloc(8 << 20);
			memset(p, 1, 8 << 20);
			printf("asan %d\n", p[5]);
			free(p);
			return 0;
		}
	C
	have "$1" && "$1" -fsanitize=address -o "$tmp/$2" "$tmp/a.c" \
		2>/dev/null && "$tmp/$2" >/dev/null 2>&1
}

# the run-time inside the program: it starts first whatever is preloaded
if sanitized clang asan_static; then
	same "$tmp/asan_static"
else
	note "ASan's static run-time not tried: no clang with it"
fi

# the run-time as a library insists on being first, and says so
if sanitized gcc asan_shared &&
	ldd "$tmp/asan_shared" | grep -q libasan; then
	hp "$tmp/asan_shared"
	grep -q "ASan runtime does not come first" "$tmp/hp.err" ||
		fail "ASan's shared run-time: its message is missing"
	[ "$rc" != 0 ] || fail "ASan's shared run-time: status 0"
	same ASAN_OPTIONS=verify_asan_link_order=0 "$tmp/asan_shared"
else
	note "ASan's shared run-time not tried: no gcc with it"
fi
