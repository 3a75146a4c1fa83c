# SPDX-License-Identifier: MIT
# the hpprobe command: options, outputs, statuses, and what Ctrl-C leaves
. "$top_srcdir/tests/lib.sh"

few="--span 256K --rounds 3 --chunks 1"

# run STATUS ARG...: hpprobe ends so; into out and err
run()
{
	want=$1
	shift
	rc=0
	timeout 120 hpprobe "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
	expect "hpprobe $*: status ($(cat "$tmp/err"))" "$want" "$rc"
}

# refuses STATUS WORDS ARG...: one line on stderr that holds WORDS, no result
refuses()
{
	want=$1 words=$2
	shift 2
	run "$want" "$@"
	expect "hpprobe $*: lines" 1 "$(wc -l <"$tmp/err")"
	grep -qF -e "$words" "$tmp/err" ||
		fail "hpprobe $*: no '$words' in: $(cat "$tmp/err")"
	[ ! -s "$tmp/out" ] || fail "hpprobe $*: wrote to stdout"
}

run 0 --help
for word in table sweep fault control integrity --span --pages --json; do
	grep -q -e "$word" "$tmp/out" || fail "--help does not mention $word"
done
run 0 --version
grep -qE '^hpprobe [0-9]+\.' "$tmp/out" || fail "no version"

refuses 2 "no command" --quiet
refuses 2 "'tabel'" tabel
refuses 2 "'--spam'" table --spam
refuses 2 "'--span'" table --span
refuses 2 "'12q'" table --span 12q
refuses 2 "'-5'" table --span -5
refuses 2 "'3M'" table --pages 4k,3M
refuses 2 "''" table --pages ,
refuses 2 "'17'" table --streams 17
refuses 2 "'0'" table --rounds 0
refuses 2 "'257'" table --chunks 257
refuses 2 "'x'" table --cpu x
refuses 2 "'1e3'" table --seed 1e3
refuses 2 "'12'" table --stride 12
refuses 2 "'dense,wrong'" table --pattern dense,wrong
refuses 2 "''" table --pattern ""
refuses 2 "'random'" sweep --pattern random
refuses 1 "0 bytes" table --span 0
refuses 1 "1 bytes: Invalid argument" table --quiet --span 1
refuses 1 "63 bytes: Invalid argument" table --quiet --span 63
refuses 1 "10995116277760 bytes: Cannot allocate memory" \
	table --quiet --span 10T
refuses 1 "/nowhere/out" table --quiet --output /nowhere/out

# measure ARG...: status 0, or 2 on a machine too busy for three good rounds
measure()
{
	rc=0
	timeout 120 hpprobe "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
	[ $rc = 0 ] && return
	[ $rc = 2 ] && grep -q "only . rounds" "$tmp/err" "$tmp/out" ||
		fail "hpprobe $*: status $rc: $(cat "$tmp/err")"
	echo "NOTE: too busy for hpprobe $*"
}

measure control $few
grep -q "hpprobe control: at most [0-9]* s" "$tmp/err" ||
	fail "the time bound is not stated"
grep -q "noise floor" "$tmp/out" || grep -q "only . rounds" "$tmp/out" ||
	fail "control prints no noise floor"
measure control --quiet --span 4097 --rounds 3 --chunks 1 --pages base
[ $rc = 2 ] || [ ! -s "$tmp/err" ] || fail "--quiet: $(cat "$tmp/err")"

# a kind that cannot be had is a line with its reason, the rest goes on
for format in --json --csv; do
	for command in table sweep fault control integrity; do
		rc=0
		timeout 120 hpprobe "$command" $few --quiet $format \
			--output "$tmp/$command$format" 2>"$tmp/err" || rc=$?
		[ $rc = 0 ] || [ $rc = 2 ] ||
			fail "$command $format ends with $rc: $(cat "$tmp/err")"
		[ -s "$tmp/$command$format" ] || fail "$command $format: empty"
	done
done
for command in table sweep fault control integrity; do
	awk -F, 'NR == 1 { n = NF } NF < n { exit 1 }' \
		"$tmp/$command--csv" || fail "$command --csv: ragged"
done

# a full disk is noticed
if [ -w /dev/full ]; then
	rc=0
	hpprobe control $few --quiet >/dev/full 2>"$tmp/err" || rc=$?
	expect "status with a full disk" 1 "$rc"
	grep -q "No space left" "$tmp/err" || fail "full disk: no reason given"
fi

# Ctrl-C: what is known so far is printed, in order
# (--foreground: or it sends the signal twice, and the second one kills)
timeout --foreground -s INT 2 hpprobe control --span 4M --rounds 256 --chunks 256 --quiet \
	--json >"$tmp/interrupted.json" 2>"$tmp/err"
grep -q '"interrupted": *true' "$tmp/interrupted.json" ||
	fail "interrupted: $(head -c 300 "$tmp/interrupted.json")"

command -v python3 >/dev/null && python3 -c 'import jsonschema' 2>/dev/null ||
	{ echo "NOTE: schema not checked: needs python3 with jsonschema"; exit; }
python3 - "$top_srcdir/probe/hpprobe.schema.json" "$tmp"/*.json \
	"$tmp"/*--json <<'END' || fail "JSON is not as the schema says"
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for name in sys.argv[2:]:
    result = json.load(open(name))
    jsonschema.validate(result, schema)
    for arm in result["arms"]:
        assert arm["backing"]["verified"] or arm["ratio"] is None, arm
        # integrity compares the variants of the baseline with each other
        alone = arm["role"] == "baseline" and (
            arm["pattern"] == "raw" or result["command"] != "integrity")
        assert (arm["verdict"] is None) == alone, arm
        assert arm["ratio"] or arm["verdict"] in (None, "unverified"), arm
        assert arm["ns"]["median"] or arm["touch"] or arm["reason"], arm
END
