# SPDX-License-Identifier: MIT
# hprun --compare: outputs, statuses, JSON, replayed input, and what Ctrl-C
# leaves; that a verdict is right depends on the machine and is not tested here
. "$top_srcdir/tests/lib.sh"

unset LD_PRELOAD $(env | sed -n 's/^\(LIBHP_[A-Z]*\)=.*/\1/p')
TMPDIR=$tmp/scratch
mkdir "$TMPDIR"
export TMPDIR
cd "$tmp" || exit 99

# run WANTED-STATUS ARGS...: stdout in out, stderr in err
run()
{
	wanted=$1
	shift
	hprun "$@" >out 2>err
	status=$?
	expect "status of hprun $*; it said '$(cat err)'" "$wanted" $status
	expect "files left by hprun $*" "" "$(ls "$TMPDIR")"
}

says()
{
	grep -qF -e "$1" err || fail "want '$1' on stderr, got '$(cat err)'"
}

# bad WORDS ARGS...: one line, and nothing is run
bad()
{
	words=$1
	shift
	run 125 "$@" echo no </dev/null
	expect "stdout of hprun $*" "" "$(cat out)"
	expect "lines of hprun $*" 1 "$(wc -l <err)"
	says "$words"
}

bad "number of rounds '0': give 1 to 256" --compare=0
bad "number of rounds '257'" --compare=257
bad "number of rounds 'five'" --compare=five
bad "number of rounds ''" --compare=
bad "--pages: bad value '3M'" --compare --pages thp:3M
bad "--mmap: bad value ''" --compare --mmap pack,
bad "no more than 12 arms" --compare --mmap pack:off --pages \
	thp:thp:thp:thp:thp
bad "no more than 8 values" --compare --pages thp:thp:thp:thp:thp:thp:thp:thp:thp
bad "several are for --compare" --pages 2M:thp
bad "--json is for --compare" --json
bad "--ignore-output is for --compare" --ignore-output
bad "--mode does not go with --compare" --compare --mode try
bad "--report does not go with --compare" --report --compare
bad "--require does not go with --compare" --compare --require 5
bad "--dry-run does not go with --compare" --compare --dry-run
bad "ends in .png or .svg" --compare --plot x.gif
bad "'/nonexistent/x.json': No such file" --compare --json=/nonexistent/x.json
LD_PRELOAD=$HP_PRELOAD
export LD_PRELOAD
bad "no run would be without libhp" --compare
unset LD_PRELOAD

# the program's output once, its status, and no variable of libhp's in plain
run 0 --compare=1 -- sh -c 'echo hello; echo note >&2'
expect "stdout" hello "$(cat out)"
expect "stderr of the program" 1 "$(grep -c '^note$' err)"
says "hprun: inconclusive: sh, try: too few rounds"
for arm in plain plain-2 off try; do
	grep -q "^  $arm  *med" err || fail "no line of arm $arm"
done
run 3 --compare=3 -- sh -c 'exit 3'
! grep -q "chance alone" err && fail "three rounds give no noise floor"
run 127 --compare ./nonexistent
expect "lines" 1 "$(wc -l <err)"
: >plain_file
run 126 --compare ./plain_file
run 137 --compare sh -c 'kill -KILL $$'
says "nothing to compare: the program was ended by signal 9"

# every run reads the same
printf 'one\ntwo\n' | hprun --compare=1 sort -r >out 2>err
status=$?
expect "status with a pipe; it said '$(cat err)'" 0 $status
expect "input of a pipe" "two one" "$(echo $(cat out))"
printf 'cut\none\ntwo\n' >file
{
	read -r line
	run 0 --compare=1 cat
} <file
case $(cat out) in
*two) ;;
*) fail "input of a file is not replayed: '$(cat out)'" ;;
esac
run 0 --compare=1 cat <&-
expect "closed input" "" "$(cat out)"

# what differs is noticed, and whose fault it is
run 125 --compare=2 -- sh -c 'echo $$'
says "not the same in every run"
says "hprun: inconclusive: sh, try: the runs did not print the same"
run 125 --compare=2 -- sh -c 'echo "mode ${LIBHP_MODE-none}"'
expect "stdout of the first plain run" "mode none" "$(cat out)"
says "differs from byte 6 on, and is always the same without libhp"
run 0 --compare=1 --ignore-output -- sh -c 'echo $$'
run 125 --compare=1 -- sh -c 'echo trace >&2; [ "${LIBHP_MODE-}" != off ]'
says "a run of 'off' ended with status 1, the first with 0; without libhp"
expect "what it said before" 2 "$(grep -c '^trace$' err)"
run 125 --compare=1 -- sh -c '[ -e done ] && kill -SEGV $$; : >done'
says "status 139"
says "so it does without libhp as well"

# settings of the arms
run 0 --compare=1 --ignore-output --mmap pack,off --pages thp --json=j.json \
	-- sh -c 'echo "$LIBHP_MODE $LIBHP_PAGES $LIBHP_MMAP"'
says "try-2: --pages thp --mmap off"
LIBHP_REQUIRE=100
LIBHP_REPORT=stderr
export LIBHP_REQUIRE LIBHP_REPORT
run 0 --compare=1 true
unset LIBHP_REQUIRE LIBHP_REPORT
! grep -q '^libhp:' err || fail "a run wrote a report of its own"
run 0 --compare=1 --only other true

# a program that libhp cannot enter is no success
echo 'int main(void) { return 0; }' >static.c
if $CC -static -o static static.c 2>/dev/null; then
	run 122 --compare --json=static.json ./static
	says "libhp was not loaded into './static': it is statically linked"
	[ ! -e static.json ] || grep -q '"not-loaded"' static.json ||
		fail "no doubt in the JSON of a static program"
fi

# JSON: on standard output in place of the program's, or beside it
run 0 --compare=1 --json -- echo hello
grep -q '"schema":"libhp.compare/1"' out || fail "no JSON on standard output"
! grep -q '^hello' out || fail "output of the program amid the JSON"
mv out stdout.json
run 0 --compare=1 --json=bytes.json -- echo "$(printf 'a\377b')" ''
run 0 --compare=3 --json=file.json -- echo hello
expect "stdout beside a file of JSON" hello "$(cat out)"
hprun --compare=1 --json true >/dev/full 2>err
expect "status of JSON with a full disk" 125 $?
hprun --compare=1 echo hello >/dev/full 2>err
expect "status of output with a full disk" 125 $?

# Ctrl-C: what is known is printed
cat >slow <<'END'
#!/bin/sh
echo x >>count
[ "$(wc -l <count)" -lt 8 ] || exec sleep 60
END
chmod +x slow
: >count
python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' hprun --compare=5 --json=cut.json \
	-- ./slow >out 2>err &
for i in $(seq 300); do
	[ "$(wc -l <count)" = 8 ] && break
	sleep 0.1
done
sleep 0.3
kill -INT $!
wait $!
status=$?
expect "status after SIGINT; it said '$(cat err)'" 130 $status
says "1 of 5 rounds, interrupted"
grep -q '"interrupted":true' cut.json || fail "interrupted: $(cat cut.json)"
expect "files left" "" "$(ls "$TMPDIR")"

if command -v gnuplot >/dev/null; then
	run 0 --compare=3 --plot runs.svg --json=plot.json -- echo "it's"
	grep -q '</svg>' runs.svg || fail "runs.svg is no picture"
	grep -q '<path' runs.svg || fail "runs.svg is empty"
	run 0 --compare=3 --mmap pack,align --plot arms.svg true
	for word in try-2 pack align; do
		grep -q ">$word<" arms.svg || fail "no '$word' in arms.svg"
	done
	run 0 --compare=1 --plot runs.png true
	expect "runs.png" PNG "$(head -c 4 runs.png | tail -c 3)"
fi

python3 -c 'import jsonschema' 2>/dev/null ||
	{ echo "NOTE: schema not checked: needs python3-jsonschema"; exit; }
python3 - "$top_srcdir/preload/compare.schema.json" *.json <<'END' ||
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for name in sys.argv[2:]:
    result = json.load(open(name))
    jsonschema.validate(result, schema)
    assert len(result["arms"]) >= 4, name
    for arm in result["arms"]:
        places = {(r["round"], r["place"]) for r in arm["runs"]}
        assert len(places) == len(arm["runs"]), (name, arm)
whole = json.load(open("file.json"))
assert [a["role"] for a in whole["arms"]] == ["plain", "control", "off", "try"]
assert all(len(a["runs"]) == 3 for a in whole["arms"])
assert [a["loaded"] for a in whole["arms"]] == [False, False, True, True]
assert whole["arms"][2]["coverage"]["median"] < 0.5, whole["arms"][2]
assert whole["noise_floor"] is not None and whole["arms"][3]["ratio"]
for key in schema["required"]:
    short = {k: v for k, v in whole.items() if k != key}
    assert not jsonschema.Draft7Validator(schema).is_valid(short), key
END
	fail "JSON is not as the schema says"
