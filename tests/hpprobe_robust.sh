# SPDX-License-Identifier: MIT
# hpprobe where something is closed, full, missing, forbidden or interrupted:
# one clear line and a status, never half a result
. "$top_srcdir/tests/lib.sh"

few="--span 256K --rounds 3 --chunks 1 --pages base --quiet"

# ends STATUS WORDS WHAT: how the last run ended, from $rc and err
ends()
{
	expect "$3: status ($(cat "$tmp/err"))" "$1" "$rc"
	expect "$3: lines ($(cat "$tmp/err"))" 1 "$(wc -l <"$tmp/err")"
	grep -qF -e "$2" "$tmp/err" ||
		fail "$3: no '$2' in: $(cat "$tmp/err")"
}

# closed: told before measuring, and no file opened later takes its place
for command in "--help" "--version" "control $few" "granule $few"; do
	rc=0
	timeout 120 hpprobe $command >&- 2>"$tmp/err" || rc=$?
	ends 1 "cannot write standard output: Bad file descriptor" \
		"$command, stdout closed"
done
timeout 120 hpprobe control $few --json --output "$tmp/closed.json" \
	<&- >&- 2>&-
tail -n 1 "$tmp/closed.json" | grep -q '^}$' ||
	fail "no result with the standard files closed"

if [ -w /dev/full ]; then
	for command in "--help" "--version" "integrity $few --json" \
		"granule $few --json"; do
		rc=0
		timeout 120 hpprobe $command >/dev/full 2>"$tmp/err" || rc=$?
		expect "$command, full disk: status" 1 "$rc"
		grep -q "^hpprobe: cannot write standard output: No space" \
			"$tmp/err" || fail "$command, full disk: no reason"
	done
fi

# what is asked for and cannot be
rc=0
hpprobe table extra >"$tmp/out" 2>"$tmp/err" || rc=$?
ends 2 "'extra'" "an operand"
rc=0
hpprobe granule --pattern dense >"$tmp/out" 2>"$tmp/err" || rc=$?
ends 2 "'dense'" "a pattern for granule"
rc=0
hpprobe granule --quiet --span 10T >"$tmp/out" 2>"$tmp/err" || rc=$?
ends 1 "10995116277760 bytes" "a span beyond memory"
rc=0
hpprobe control --cpu 65535 >"$tmp/out" 2>"$tmp/err" || rc=$?
ends 2 "'65535'" "a cpu there is none of"

# no address space: every kind is a row with its reason
rc=0
(ulimit -v 60000 && timeout 120 hpprobe control --quiet --span 256M \
	--pages base --json) >"$tmp/small.json" 2>"$tmp/err" || rc=$?
ends 2 "Cannot allocate memory" "little address space"

# no /sys
if unshare -rm mount -t tmpfs none /sys 2>/dev/null; then
	rc=0
	timeout 120 unshare -rm sh -c 'mount -t tmpfs none /sys &&
		exec hpprobe "$@"' sh control $few --json \
		>"$tmp/sysless.json" 2>"$tmp/err" || rc=$?
	[ $rc = 0 ] || grep -q "only . rounds" "$tmp/err" "$tmp/sysless.json" ||
		fail "without /sys: status $rc: $(cat "$tmp/err")"
else
	echo "NOTE: not tried without /sys: no mounts of our own here"
fi

# interrupted wherever it is: a whole result and the status it deserves
for command in table sweep fault control integrity granule; do
	rc=0
	timeout --foreground --preserve-status -k 60 -s INT 2 \
		hpprobe $command --quiet --span 64M --rounds 200 --chunks 200 \
		--pages base --json >"$tmp/$command.json" 2>"$tmp/err" || rc=$?
	[ $rc = 0 ] || [ $rc = 2 ] ||
		fail "$command, interrupted: status $rc: $(cat "$tmp/err")"
	grep -q '"interrupted": *true' "$tmp/$command.json" ||
		fail "$command, interrupted: $(head -c 300 "$tmp/$command.json")"
	valid=$(grep -o '"conclusions_valid": *[a-z]*' "$tmp/$command.json" |
		sed 's/.*[: ]//')
	expect "$command, interrupted: conclusions_valid with status $rc" \
		"$([ $rc = 0 ] && echo true || echo false)" "$valid"
done

python3 -c 'import json' 2>/dev/null ||
	{ echo "NOTE: JSON not read: needs python3"; exit; }
for file in "$tmp"/*.json; do
	python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$file" ||
		fail "${file##*/} is not whole"
done
