# SPDX-License-Identifier: MIT
# Busy CPUs, refused affinity, idle priority, a slow clock: the probe ends
# within the time it states, gives a spread, and claims nothing it cannot.
# From: DCPerf PR #672, criterion.rs #735, divan #77, sozu #500.
. "$top_srcdir/tests/case.sh"

need_program python3

# measure WHAT [PREFIX...]: result in r.json, status 0, or 2 without a claim
measure()
{
	what=$1
	shift
	rc=0
	"$@" hpprobe control --span 1M --rounds 4 --chunks 2 --pages base \
		--json --output "$tmp/r.json" 2>"$tmp/err" || rc=$?
	[ $rc = 0 ] || [ $rc = 2 ] ||
		fail "$what: status $rc: $(cat "$tmp/err")"
	python3 - "$tmp/r.json" $rc <<'END' || fail "$what: see above"
import json, sys
r = json.load(open(sys.argv[1]))
# the bound is for a program that gets its share of a cpu; this is "it ends"
assert r["elapsed_s"] <= 2 * r["bound_s"], (r["elapsed_s"], r["bound_s"])
for a in r["arms"]:
    c = a["chunks"]
    assert c["kept"] + sum(c["dropped"].values()) == c["total"], c
    if a["ns"]["median"] is None:
        assert a["reason"], a
    else:
        assert a["ns"]["q1"] <= a["ns"]["median"] <= a["ns"]["q3"], a["ns"]
    if a["role"] == "control" and a["ratio"]:
        inside = abs(a["ratio"]["value"] - 1) <= a["floor"]
        assert inside or a["verdict"] != "indistinguishable", a
        assert not inside or a["verdict"] == "indistinguishable", a
assert r["conclusions_valid"] == (sys.argv[2] == "0"), r
END
}

measure "nothing special"
have taskset && measure "one CPU" taskset -c 0
if have taskset; then
	yes >/dev/null &
	one=$!
	yes >/dev/null &
	two=$!
	at_exit "kill $one $two"
	measure "beside busy programs" taskset -c 0
fi
have chrt && measure "idle priority" chrt -i 0

measure "affinity refused" "$here/case_deny" sched_setaffinity 1
grep -q "not pinned to a cpu: Operation not permitted" "$tmp/r.json" ||
	fail "refused affinity is not noted"

measure "slow clock" env LD_PRELOAD="$here/case_slow_clock.so"
python3 - "$tmp/r.json" <<'END' || fail "slow clock: not seen, or not taken off"
import json, sys
r = json.load(open(sys.argv[1]))
assert r["machine"]["clock_read_ns"] >= 1500, r["machine"]
for a in r["arms"]:
    assert a["ns"]["median"] is None or a["ns"]["median"] < 1500, a["ns"]
END
