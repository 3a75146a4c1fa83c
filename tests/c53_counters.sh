# SPDX-License-Identifier: MIT
# Performance counters that are missing, forbidden or never run: the latency is
# measured all the same, and nothing is 0 that was not counted.
# From: nanobench #106, poop #17, propolis #894, pmu-tools #526.
. "$top_srcdir/tests/case.sh"

need_program python3

# counters NAME: what r.json says of them, by arm
check_json()
{
	python3 - "$tmp/r.json" "$1" <<'END' || fail "$2: see above"
import json, sys
r = json.load(open(sys.argv[1]))
error = r["machine"]["counters_error"]
# on a machine so busy that no chunk was kept, nothing is known of counters
busy = not any(a["rounds"] for a in r["arms"])
assert busy or sys.argv[2] in (error or ""), (sys.argv[2], error)
for a in r["arms"]:
    assert a["counters"]["dtlb_misses"] != 0, a
    assert not error or a["counters"]["dtlb_misses"] is None, a
END
}

# measure WHAT WORDS PREFIX...: works, says WORDS in text and JSON
measure()
{
	what=$1 words=$2
	shift 2
	set -- "$@" hpprobe control --span 1M --rounds 3 --chunks 1 --quiet
	rc=0
	"$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
	[ $rc = 0 ] || grep -q "only . rounds" "$tmp/out" ||
		fail "$what: status $rc: $(cat "$tmp/err")"
	grep -q "dTLB counters unavailable: .*$words" "$tmp/out" ||
		{ [ $rc = 2 ] && [ "$words" = "never ran" ]; } ||
		fail "$what: no line about it: $(cat "$tmp/out")"
	rc=0
	"$@" --json --output "$tmp/r.json" 2>"$tmp/err" || rc=$?
	check_json "$words" "$what"
}

deny="$here/case_deny perf_event_open"
measure EACCES "Permission denied" $deny 13
measure EPERM "Operation not permitted" $deny 1
measure ENOENT "No such file" $deny 2
measure ENODEV "No such device" $deny 19
measure EOPNOTSUPP "not supported" $deny 95
measure ENOSYS "not implemented" $deny 38
measure EINVAL "Invalid argument" $deny 22
measure "counters that never run" "never ran" \
	env LD_PRELOAD="$here/case_idle_counters.so"

hpprobe control --span 1M --rounds 3 --chunks 1 --quiet --json \
	--output "$tmp/r.json" 2>"$tmp/err"
check_json "" "this machine as it is"
if is_root && have setpriv; then
	chmod 777 "$tmp"
	rm -f "$tmp/r.json"
	setpriv --reuid 65534 --clear-groups hpprobe control --span 1M \
		--rounds 3 --chunks 1 --quiet --json --output "$tmp/r.json" \
		2>"$tmp/err"
	[ -s "$tmp/r.json" ] && check_json "" "as uid 65534" ||
		note "as uid 65534 not tried: $(cat "$tmp/err")"
fi
