#!/bin/sh
# SPDX-License-Identifier: MIT
# soak.sh [MINUTES] - one process under libhp for a long time: its memory,
# mappings and descriptors stay flat, and the pool is whole afterwards
#
# tests/soak_load changes between kinds of work and is at rest now and then. At
# every rest this takes a sample; after a first fifth of the time, nothing may
# grow beyond a quarter of the largest sample of that fifth (4 MiB, 16 maps).

set -u
build=${top_builddir:-$(cd "$(dirname "$0")/.." && pwd)}
preload=${HP_PRELOAD:-$build/.libs/libhp-preload.so}
minutes=${1:-30}
case $minutes in
'' | *[!0-9]*)
	echo "soak: '$minutes' is not a number of minutes" >&2
	exit 125
	;;
esac
tmp=$(mktemp -d "${TMPDIR:-/tmp}/libhp-soak.XXXXXX") || exit 99
load=
trap '[ -z "$load" ] || kill $load; rm -rf "$tmp"' EXIT
trap 'exit 143' TERM INT HUP

pool_taken()
{
	awk '/^HugePages_Total/ { t = $2 } /^HugePages_Free/ { f = $2 }
		END { print t - f }' /proc/meminfo
}

# sample: KIB MAPS DESCRIPTORS of the load
sample()
{
	echo "$(awk '/^(VmRSS|HugetlbPages):/ { n += $2 } END { print n }' \
		"/proc/$load/status") $(wc -l <"/proc/$load/maps")" \
		"$(ls "/proc/$load/fd" | wc -l)"
}

before=$(pool_taken)
mkfifo "$tmp/rest" "$tmp/go"
env LD_PRELOAD="$preload" LIBHP_PAGES="${LIBHP_PAGES:-2M,thp}" \
	LIBHP_START=0 LIBHP_REPORT="$tmp/report" \
	"$build/tests/soak_load" <"$tmp/go" >"$tmp/rest" &
load=$!
exec 7>"$tmp/go" 8<"$tmp/rest"

end=$(($(date +%s) + minutes * 60))
rounds=0
while [ "$(date +%s)" -lt $end ] && read -r word <&8; do
	sample >>"$tmp/samples"
	rounds=$((rounds + 1))
	echo go >&7
done
exec 7>&-
cat <&8 >/dev/null
status=0
wait "$load" || status=$?
load=
[ $status = 0 ] || {
	echo "FAIL: the load ends with status $status after $rounds rounds"
	exit 1
}

awk -v rounds=$rounds '
function max(a, b) { return a > b ? a : b }
NR == 1 { next }			# before everything was used once
NR <= rounds / 5 + 2 { for (i = 1; i <= 3; i++) first[i] = max(first[i], $i) }
{ for (i = 1; i <= 3; i++) last[i] = max(last[i], $i) }
function flat(i, what, slack)
{
	printf "%s: %d at first, %d at most\n", what, first[i], last[i]
	if (last[i] > max(first[i] * 1.25, first[i] + slack)) {
		print "FAIL: " what " grow"
		bad = 1
	}
}
END {
	print rounds " rounds"
	if (rounds < 10) { print "FAIL: too few rounds to tell"; exit 1 }
	flat(1, "KiB", 4096); flat(2, "mappings", 16); flat(3, "descriptors", 0)
	exit bad
}' "$tmp/samples" || exit 1
head -n 12 "$tmp/report"
# others may use the pool too: a leak is there for good
for try in $(seq 60); do
	[ "$(pool_taken)" -le "$before" ] && break
	sleep 1
done
[ "$(pool_taken)" -le "$before" ] || {
	echo "FAIL: pool pages in use: $before before, $(pool_taken) after"
	exit 1
}
echo "soak: $minutes minutes, flat"
