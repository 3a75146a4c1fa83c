# SPDX-License-Identifier: MIT
# Each arm of the probe forces its backing and proves it: small pages stay
# small with THP always; huge pages that cannot be had give no ratio.
# From: multichase PR #23, jemalloc PR #1704, ior PR #543.
. "$top_srcdir/tests/case.sh"

need_program python3

# arms STATUS [PREFIX...]: run both arms, result in r.json
arms()
{
	want=$1
	shift
	rc=0
	"$@" hpprobe table --span 64M --pages 4k,thp --pattern dense \
		--rounds 3 --chunks 2 --quiet --json --output "$tmp/r.json" \
		2>"$tmp/err" || rc=$?
	[ $rc = 2 ] && grep -q "only . rounds" "$tmp/err" "$tmp/r.json" &&
		note "too busy to compare, THP $mode" && return
	expect "status, THP $mode ($(cat "$tmp/err"))" "$want" "$rc"
}

# arm PAGES EXPRESSION: of the arm called a
arm()
{
	python3 -c "import json, sys
for a in json.load(open('$tmp/r.json'))['arms']:
    if a['pages'] == '$1' and a['role'] != 'control':
        print($2)"
}

small_stays_small()
{
	expect "huge bytes of the 4k arm, THP $mode" 0 \
		"$(arm 4k "a['backing']['huge_bytes']")"
	expect "4k arm verified, THP $mode" True \
		"$(arm 4k "a['backing']['verified']")"
}

no_ratio_but() # CAUSE
{
	expect "ratio of the thp arm" None "$(arm thp "a['ratio']")"
	expect "verdict" unverified "$(arm thp "a['verdict']")"
	arm thp "a['reason']" | grep -q "$1" ||
		fail "the reason does not say $1: $(arm thp "a['reason']")"
	grep -q "$1" "$tmp/err" || fail "stderr does not say $1"
}

[ "$(getconf PAGESIZE)" = 4096 ] || skip "needs base pages of 4k"
for mode in always madvise; do
	need_thp $mode
	arms 0
	small_stays_small
	expect "at least 95 % huge in the thp arm, THP $mode" True \
		"$(arm thp "a['backing']['huge_bytes'] >= 0.95 * 64 * 2**20")"
done

mode="off by prctl"
arms 2 "$here/case_no_thp"
small_stays_small
no_ratio_but prctl

mode=never
need_thp never
arms 2
small_stays_small
no_ratio_but sysfs-never
