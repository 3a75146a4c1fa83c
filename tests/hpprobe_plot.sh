# SPDX-License-Identifier: MIT
# hpprobe granule and plot: outputs, refusals, and pictures that are pictures
. "$top_srcdir/tests/lib.sh"

# run STATUS ARG...: hpprobe ends so; into out and err
run()
{
	want=$1
	shift
	rc=0
	timeout 120 hpprobe "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
	expect "hpprobe $*: status ($(cat "$tmp/err"))" "$want" "$rc"
}

# refuses STATUS WORDS ARG...: one line on stderr that holds WORDS, no picture
refuses()
{
	want=$1 words=$2
	shift 2
	rm -f "$tmp/no.svg"
	run "$want" "$@"
	expect "hpprobe $*: lines" 1 "$(wc -l <"$tmp/err")"
	grep -qF -e "$words" "$tmp/err" ||
		fail "hpprobe $*: no '$words' in: $(cat "$tmp/err")"
	[ ! -e "$tmp/no.svg" ] || fail "hpprobe $*: left a file behind"
}

# result COMMAND ARM...: what hpprobe --json writes, as far as plot reads it
result()
{
	command=$1
	shift
	printf '{"schema":"libhp.probe/1","command":"%s","machine":{' "$command"
	printf '"cpu_model":"A '\''quoted'\'' CPU","hypervisor":false,'
	printf '"caches":[{"level":1,"size":32768,"line":64}]},"arms":['
	arms=
	for arm; do
		arms="$arms${arms:+,}$arm"
	done
	printf '%s]}\n' "$arms"
}

# arm PAGES PATTERN ROLE SPAN NS
arm()
{
	printf '{"pages":"%s","pattern":"%s","role":"%s","span":%s,' \
		"$1" "$2" "$3" "$4"
	printf '"ns":{"median":%s,"q1":%s,"q3":%s,"min":null}}' "$5" "$5" "$5"
}

result sweep "$(arm 4k dense baseline 4096 1.5)" \
	"$(arm 4k dense baseline 65536 5)" "$(arm thp dense arm 4096 1.5)" \
	"$(arm thp dense arm 65536 null)" >"$tmp/sweep.json"
result table "$(arm 4k dense baseline 65536 9)" \
	"$(arm 4k dense control 65536 9)" "$(arm thp dense arm 65536 7)" \
	"$(arm thp sparse arm 65536 3)" >"$tmp/table.json"
result fault "$(arm 4k fresh baseline 65536 9)" >"$tmp/fault.json"
result sweep "$(arm 4k dense baseline 4096 null)" >"$tmp/empty.json"
echo '{"a": 1}' >"$tmp/foreign.json"
echo '[1, 2]' >"$tmp/array.json"
echo 'pages,ns' >"$tmp/table.csv"
: >"$tmp/nothing.json"

no="-o $tmp/no.svg"
refuses 2 "wanted FILE" plot "$tmp/sweep.json"
refuses 2 "wanted FILE" plot $no
refuses 2 ".svg or .png" plot "$tmp/sweep.json" -o "$tmp/no.gif"
refuses 2 ".svg or .png" plot "$tmp/sweep.json" -o .svg
refuses 1 "$tmp/none.json: No such file" plot "$tmp/none.json" $no
refuses 1 "table.csv: not JSON" plot "$tmp/table.csv" $no
refuses 1 "nothing.json: not JSON" plot "$tmp/nothing.json" $no
refuses 1 "foreign.json: JSON, but no result of hpprobe" \
	plot "$tmp/foreign.json" $no
refuses 1 "array.json: JSON, but no result of hpprobe" \
	plot "$tmp/array.json" $no
refuses 1 "fault.json: results of this command cannot be drawn" \
	plot "$tmp/fault.json" $no
refuses 1 "table.json: another kind of result" \
	plot "$tmp/sweep.json" "$tmp/table.json" $no
refuses 1 "empty.json: nothing to draw" plot "$tmp/empty.json" $no
refuses 1 "/nowhere/no.svg" plot "$tmp/sweep.json" -o /nowhere/no.svg

# without gnuplot: a status of its own
hpprobe=$(command -v hpprobe)
mkdir "$tmp/empty"
rc=0
PATH=$tmp/empty "$hpprobe" plot "$tmp/sweep.json" $no 2>"$tmp/err" || rc=$?
expect "status without gnuplot" 127 "$rc"
grep -q "needs gnuplot" "$tmp/err" || fail "no word of gnuplot"
[ ! -e "$tmp/no.svg" ] || fail "left a file behind without gnuplot"

run 0 granule --quiet --pages 4k --span 1M --rounds 3 --csv
expect "csv columns" 1 "$(awk -F, '{ print (NF > 1) }' "$tmp/out" | sort -u)"
run 0 granule --quiet --pages 4k --span 1M --rounds 3 --json \
	--output "$tmp/granule.json"
grep -q '"schema": *"libhp.probe/1"' "$tmp/granule.json" || fail "no schema"
if python3 -c 'import jsonschema' 2>/dev/null; then
	python3 -c '
import json, sys, jsonschema
jsonschema.validate(*(json.load(open(name)) for name in sys.argv[1:]))
' "$tmp/granule.json" "$top_srcdir/probe/granule.schema.json" ||
		fail "granule.json does not match its schema"
fi

need_program gnuplot
for kind in sweep table granule; do
	run 0 plot "$tmp/$kind.json" -o "$tmp/$kind.svg"
	[ ! -s "$tmp/err" ] || fail "plot $kind: $(cat "$tmp/err")"
	grep -q '</svg>' "$tmp/$kind.svg" || fail "$kind.svg is no picture"
	grep -q '<path' "$tmp/$kind.svg" || fail "$kind.svg is empty"
	run 0 plot "$tmp/$kind.json" --output "$tmp/$kind.png"
	[ ! -s "$tmp/err" ] || fail "plot $kind: $(cat "$tmp/err")"
	expect "$kind.png" PNG "$(head -c 4 "$tmp/$kind.png" | tail -c 3)"
done
grep -q "A 'quoted' CPU" "$tmp/sweep.svg" ||
	grep -q "A &#39;quoted&#39; CPU" "$tmp/sweep.svg" ||
	fail "the title lost its quotes"
cp "$tmp/sweep.json" "$tmp/again.json"
run 0 plot "$tmp/sweep.json" "$tmp/again.json" -o "$tmp/two.svg"
grep -q 'again.json: 4k' "$tmp/two.svg" || fail "no legend per file"
