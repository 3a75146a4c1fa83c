# SPDX-License-Identifier: MIT
# Terabytes reserved PROT_NONE and committed later, as Go, the JVM, V8, ASan
# and wasmtime do: nothing is charged, advised or populated before its time.
# From: golang #38010, bun PR #41900, wasmtime #1501, sanitizers #690.
. "$top_srcdir/tests/case.sh"

want_pool 16
same "$here/case_reserve"
same LIBHP_MMAP=align "$here/case_reserve"

if have node; then
	same node -e 'console.log(1)'
else
	note "node not tried: it is not installed"
fi
if have java; then
	same java -Xmx1g --version
else
	note "java not tried: it is not installed"
fi
echo 'int puts(const char *); int main(void) { puts("asan"); }' >"$tmp/a.c"
if have clang && clang -fsanitize=address -o "$tmp/asan" "$tmp/a.c" 2>&1; then
	same "$tmp/asan"
else
	note "AddressSanitizer not tried: no clang with its runtime"
fi
