# SPDX-License-Identifier: MIT
# Programs no preload can reach - static, set-user-ID, another libc - run as
# ever, and nobody claims they were covered.
# From: appscope #1154, ddprof PR #100, libvma #1064, jemalloc #1443.
. "$top_srcdir/tests/case.sh"

# not_covered PROGRAM: same output, 122 and one line from the launcher
not_covered()
{
	plain "$@"
	rc=0
	hprun --report -- "$@" >"$tmp/hp.out" 2>"$tmp/hp.err" || rc=$?
	ended "hprun --report $1" 122
	cmp "$tmp/plain.out" "$tmp/hp.out" || fail "$1: stdout changed"
	grep -q "libhp was not loaded" "$tmp/hp.err" ||
		fail "$1: the launcher does not say it"
	! grep -qi "verdict" "$tmp/hp.err" || fail "$1: a verdict is claimed"
}

if "$CC" -static -O1 -I"$top_srcdir" -o "$tmp/static" \
	"$top_srcdir/tests/case_fill.c" 2>/dev/null; then
	plain "$tmp/static" 1
	hp "$tmp/static" 1
	as_plain "static program"
	not_covered "$tmp/static" 1
	rc=0
	hprun --require 1 -- "$tmp/static" 1 >/dev/null 2>&1 || rc=$?
	ended "hprun --require on a static program" 122
	rc=0
	hprun -- "$tmp/static" 1 >/dev/null 2>&1 || rc=$?
	ended "hprun without a demand" 0
else
	note "static programs not tried: no static libc"
fi

# secure execution: the loader ignores a path for a set-user-ID program
if is_root && su=$(command -v su) && [ -u "$su" ]; then
	plain "$su" --version
	rc=0
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		env LD_PRELOAD="$HP_PRELOAD" LIBHP_REPORT=stderr \
		"$su" --version >"$tmp/hp.out" 2>"$tmp/hp.err" || rc=$?
	as_plain "set-user-ID program"
	expect "set-user-ID program, stderr" "" "$(cat "$tmp/hp.err")"
else
	note "set-user-ID programs not tried: not root, or no su"
fi

if have musl-gcc; then
	echo 'int main(void) { return 0; }' >"$tmp/hello.c"
	musl-gcc -o "$tmp/musl" "$tmp/hello.c"
	hp "$tmp/musl"
	ended "musl program" 127
	grep -q "symbol not found\|Error loading" "$tmp/hp.err" ||
		fail "musl's own message is missing: $(cat "$tmp/hp.err")"
else
	note "musl not tried: no musl-gcc"
fi
