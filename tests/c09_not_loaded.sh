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

# script NAME LINE...: executable, of these lines
script()
{
	name=$1
	shift
	printf '%s\n' "$@" >"$tmp/$name"
	chmod +x "$tmp/$name"
}

# runs_scripts INTERPRETER WHY: what it runs is judged as it is
runs_scripts()
{
	ln -s "$1" "$tmp/1"
	script direct "#!$1"
	script blanks "#! $tmp/1 2"
	script nested "#!$tmp/direct"
	script by_env "#!/usr/bin/env interpreter"
	script by_split "#!/usr/bin/env -S interpreter 3"
	ln -s "$1" "$tmp/interpreter"
	for name in direct blanks nested by_env by_split; do
		PATH=$tmp:$PATH not_covered "$tmp/$name" 1
		grep -q "runs '$tmp/$name': $2" "$tmp/hp.err" ||
			fail "script $name: $(cat "$tmp/hp.err")"
	done
}

# script the kernel does not know is one of the shell
script unnamed 'exit 3'
for demand in --report=/dev/null --only=none; do
	rc=0
	hprun $demand -- "$tmp/unnamed" || rc=$?
	ended "script without an interpreter" 3
done

script missing "#!$tmp/nothing"
for demand in --report --only=none; do
	rc=0
	hprun $demand -- "$tmp/missing" 2>"$tmp/hp.err" || rc=$?
	ended "script whose interpreter is missing" 127
	grep -q "missing': its interpreter or loader: No such" "$tmp/hp.err" ||
		fail "missing interpreter: $(cat "$tmp/hp.err")"
done

if "$CC" -static -O1 -I"$top_srcdir" -o "$tmp/static" \
	"$top_srcdir/tests/case_fill.c" 2>/dev/null; then
	plain "$tmp/static" 1
	hp "$tmp/static" 1
	as_plain "static program"
	not_covered "$tmp/static" 1
	runs_scripts "$tmp/static" "it is statically linked"
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

# a program of another C library is told by its loader, here glibc's by another
# name; neither it nor its scripts are given what they could not load
printf '%s\n' '#include <stdio.h>' '#include <stdlib.h>' \
	'int main(void) { puts(getenv("LD_PRELOAD") ? "loads" : "does not");' \
	'return 0; }' >"$tmp/loads.c"
loader=$(ldd /bin/sh | sed -n 's/^[[:space:]]*\(\/[^ ]*ld[^ ]*\) .*/\1/p')
if [ -e "$loader" ] && "$CC" -Wl,--dynamic-linker="$tmp/ld-other.so" \
	-o "$tmp/other" "$tmp/loads.c"; then
	ln -s "$loader" "$tmp/ld-other.so"
	script by_other "#!$tmp/other"
	script by_other_env "#!/usr/bin/env other"
	for name in other by_other by_other_env; do
		expect "hprun $name" "does not" \
			"$(PATH=$tmp:$PATH hprun -- "$tmp/$name")"
		PATH=$tmp:$PATH not_covered "$tmp/$name"
	done
else
	note "another loader not tried"
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
