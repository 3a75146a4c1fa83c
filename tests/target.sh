# SPDX-License-Identifier: MIT
# target.sh - processes for hpdoctor and hppromote to look at; source it after
# lib.sh

# start_target COMMAND...: runs until end_target; $target is its PID
start_target()
{
	rm -f "$tmp/in" "$tmp/target"
	mkfifo "$tmp/in"
	"$@" <"$tmp/in" >"$tmp/target" &
	target=$!
	exec 8>"$tmp/in"
	at_exit "kill $target 2>/dev/null"
	for i in $(seq 300); do
		grep -q ready "$tmp/target" && return
		kill -0 $target 2>/dev/null || break
		sleep 0.1
	done
	fail "$* did not become ready"
}

# end_target: its memory must be as it left it
end_target()
{
	exec 8>&-
	wait $target || fail "the target ended with $?"
	expect "what the target says" "ready intact" \
		"$(echo $(cat "$tmp/target"))"
}

# run WANTED-STATUS COMMAND...: leaves stdout in $out and stderr in $err
run()
{
	wanted=$1
	shift
	"$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	out=$(cat "$tmp/out")
	err=$(cat "$tmp/err")
	expect "status of $*; it said '$err'" "$wanted" "$status"
}

# says TEXT: in the output of the last run
says()
{
	grep -qF -e "$1" "$tmp/out" || fail "want '$1' in: $out"
}

says_not()
{
	! grep -qF -e "$1" "$tmp/out" || fail "want no '$1' in: $out"
}

# complains TEXT: exactly one line on stderr, by the tool
complains()
{
	expect "lines on stderr" 1 "$(wc -l <"$tmp/err")"
	case $err in
	hpdoctor:*"$1"* | hppromote:*"$1"*) ;;
	*) fail "want a line with '$1', got '$err'" ;;
	esac
}

# valid SCHEMA: the last output agrees with it, where that can be checked
valid()
{
	python3 -c 'import jsonschema' 2>/dev/null || return 0
	python3 - "$top_srcdir/libhp/$1.schema.json" "$tmp/out" <<'END' ||
import json, sys, jsonschema

schema = json.load(open(sys.argv[1]))
validator = jsonschema.Draft7Validator(schema)
validator.check_schema(schema)
found = json.load(open(sys.argv[2]))
for error in validator.iter_errors(found):
    sys.exit(f"{list(error.path)}: {error.message}")
for key in schema["required"]:
    assert not validator.is_valid({k: found[k] for k in found if k != key})
END
		fail "no object of $1.schema.json: $out"
}

# figure EXPRESSION: of the JSON of the last run, called "o"
figure()
{
	need_program python3
	python3 -c 'import json, sys
o = json.load(open(sys.argv[1]))
print(eval("(" + sys.argv[2] + ")"))' "$tmp/out" "$1"
}

# outputs TOOL: what every tool owes whoever runs it
outputs()
{
	run 0 "$1" --help
	says "Exit status"
	run 0 "$1" --version
	says "$1 (libhp)"
	"$1" --help >&- 2>"$tmp/err"
	expect "$1 with its output closed" 125 $?
	"$1" --help >/dev/full 2>"$tmp/err"
	expect "$1 to a full device" 125 $?
	run 125 "$1" --bogus
	complains "'--bogus'"
	run 125 "$1" "$(head -c 5000 /dev/zero | tr '\0' x)"
	complains "is no process ID"
	[ ${#err} -lt 300 ] || fail "the line is ${#err} bytes long"
	for pid in 0 -1 1x ' 1' '' 99999999999999999999; do
		run 125 "$1" -- "$pid"
		complains "is no process ID"
	done
	run 125 "$1" 1073741823
	complains "1073741823: no such process"
}
