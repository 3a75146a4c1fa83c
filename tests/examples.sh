# SPDX-License-Identifier: MIT
# the examples run as they stand, and say what they are meant to show
. "$top_srcdir/tests/lib.sh"

cd "$top_builddir/examples" || exit 99

# run EXAMPLE [ARG...]: its output, kept in $tmp/out
run()
{
	"./$@" >"$tmp/out" 2>&1 || {
		cat "$tmp/out"
		fail "$* ended with $?"
	}
	cat "$tmp/out"
}

# shows PATTERN: the last output has a line like it
shows()
{
	grep -qE "$1" "$tmp/out" || fail "no line like '$1'"
}

run nodes 16
shows '^malloc [0-9.]+ ns, load [0-9.]+ ns, coverage [0-9u]'
./nodes 0 >"$tmp/out" 2>&1
expect "status of nodes 0" 2 $?

run region 64
shows '^prefault 100 %$'
shows '^64 MiB present, [0-9]+ MiB huge'

run backing
shows '^touched +huge +0 KiB, present +[0-9]+ KiB'
shows '^split '

run allocate
shows '^entry 0 \.\. entry 399999, [0-9]+ bytes usable'

run measure_latency 4
shows '^[0-9]+k +dense '
run live_probe 16
shows '^a load here costs '
