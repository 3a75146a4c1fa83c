# SPDX-License-Identifier: MIT
# LIBHP_PROBE: at exit, by signal and every second, a program that knows
# nothing of it prints the same, ends the same, and is not disturbed
. "$top_srcdir/tests/case.sh"

need_program python3
storm="$here/case_live_storm"

# probe EXPRESSION: of the probe key p of the last report
probe()
{
	python3 -c "import json
p = json.load(open('$tmp/r.json'))['probe']
print($1)"
}

json="LIBHP_REPORT=json:$tmp/r.json"

plain "$here/case_fill" 64
hp LIBHP_PROBE=exit "$json" "$here/case_fill" 64
as_plain "probe at exit"
expect "when" True "$(probe "p['when'] in ('exit', 'peak')")"
expect "a value or a reason" True \
	"$(probe "p['live']['ns'] is not None or bool(p['live']['reason'])")"
expect "kinds of fresh memory" "['4k', 'thp']" \
	"$(probe "sorted(set(a['pages'] for a in p['fresh']))")"

# nothing asked for: no key; no report wanted: no measurement
hp "$json" "$here/case_fill" 64
expect "probe without LIBHP_PROBE" None "$(probe p)"
hp LIBHP_PROBE=exit "$here/case_fill" 64
as_plain "probe without a report"

# begin PROGRAM...: in the background, ends on SIGTERM
begin()
{
	env "$@" >"$tmp/hp.out" 2>"$tmp/hp.err" &
	pid=$!
	at_exit "kill -KILL $pid 2>/dev/null"
	sleep 1
}

# end: and its status in $rc
end()
{
	kill -TERM $pid
	rc=0
	wait $pid || rc=$?
}

begin "$storm"
end
plain_rc=$rc
cp "$tmp/hp.out" "$tmp/plain.out"

# a hundred signals into a storm
begin LD_PRELOAD="$HP_PRELOAD" "$json" LIBHP_PROBE=signal:USR2 "$storm"
n=0
while [ $n -lt 100 ]; do
	kill -USR2 $pid || fail "gone after $n signals: $(cat "$tmp/hp.err")"
	sleep 0.03
	n=$((n + 1))
done
end
as_plain "a hundred signals ($(cat "$tmp/hp.err"))"
expect "measured at least once" True "$(probe "p['runs'] >= 1")"
expect "when" running "$(probe "p['when']")"

begin LD_PRELOAD="$HP_PRELOAD" "$json" LIBHP_PROBE=every:1s,exit "$storm"
sleep 3
end
as_plain "every second"
expect "measured" True "$(probe "p['runs'] >= 1")"

# a child has nothing to measure with, and does not miss it
hp LIBHP_PROBE=every:1s,signal:USR2 "$json" "$here/case_fork_tree"
expect "forks under a probe: status" 0 "$rc"
