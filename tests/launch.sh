# SPDX-License-Identifier: MIT
# hprun and the library together: reports, requirements, modes, statuses
. "$top_srcdir/tests/lib.sh"

need_program python3
unset LD_PRELOAD
TMPDIR=$tmp/results
mkdir "$TMPDIR"
export TMPDIR
cd "$tmp" || exit 99

# run WANTED-STATUS ARGS...: stdout in out, stderr in err
run()
{
	wanted=$1
	shift
	hprun "$@" >out 2>err </dev/null
	status=$?
	expect "status of hprun $*; it said '$(cat err)'" "$wanted" $status
	expect "files left by hprun $*" "" "$(ls "$TMPDIR")"
}

# of FILE EXPRESSION: a value of a JSON report, called r
of()
{
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$1" "$2"
}

# one report for each image, however it ends, and nothing on stdout
run 3 --report -- sh -c 'echo hello; exit 3'
expect "stdout" hello "$(cat out)"
expect "first lines" 1 "$(grep -c '^libhp: ' err)"
run 0 --report=json:r.json -- sh -c 'exec env echo hello'
expect "schema" libhp.report/1 "$(of r.json 'r["schema"]')"
expect "the image that exited" echo "$(of r.json 'r["exe"]')"
run 0 --report=json:r.%e.json -- sh -c 'sort /dev/null; ls /dev/null; exit 0'
for image in sh sort ls; do
	expect "exe" $image "$(of r.$image.json 'r["exe"]')"
done

# the process ID is the one hprun waited for, so its figures decide
run 0 --require 0 true
run 123 --require 100 true
expect "one line" 1 "$(wc -l <err)"
grep -q '^hprun: .*100 % on huge pages required, .* reached' err ||
	fail "want the figures, got '$(cat err)'"
run 123 --require 100 --report -- true
expect "verdict and requirement" 2 "$(grep -cE '^(libhp|hprun): ' err)"

# a child's report is its own affair
run 0 --require 0 -- sh -c 'sort /dev/null & wait'

run 0 --mode off --report=json:off.json -- sort /dev/null
expect "verdict of mode off" off "$(of off.json 'r["verdict"]')"
expect "huge bytes of libhp" 0 "$(of off.json 'r["managed"]["huge_bytes"]')"

run 137 --require 90 sh -c 'kill -KILL $$'
expect "lines of hprun" 0 "$(grep -c hprun: err)"
