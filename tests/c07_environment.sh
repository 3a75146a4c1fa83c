# SPDX-License-Identifier: MIT
# Variables absent or malformed: the program never notices; a bad value gives
# one line that names the variable, the text and the value used instead.
# From: heaptrace #18, jemalloc #853, #2502.
. "$top_srcdir/tests/case.sh"

long=$(head -c 100000 /dev/zero | tr '\0' x)
failures=0

# complain TEXT: note a failure, go on with the other values
complain()
{
	echo "$1" >&2
	failures=$((failures + 1))
}

# say_hi VAR VALUE: run with it, count lines on stderr
say_hi()
{
	hp "$1=$2" /bin/echo hi
	shown=$1=$(printf %.20s "$2")
	[ "$rc" = 0 ] || complain "$shown: status $rc"
	[ "$(cat "$tmp/hp.out")" = hi ] || complain "$shown: stdout changed"
	lines=$(wc -l <"$tmp/hp.err")
}

# bad VAR VALUE DEFAULT
bad()
{
	say_hi "$1" "$2"
	[ "$lines" = 1 ] || complain "$shown: $lines lines, not one"
	at_most "$shown: length of the line" 400 "$(wc -c <"$tmp/hp.err")"
	for part in "$1" "$(printf %.8s "$2")" "$3"; do
		grep -qF -e "$part" "$tmp/hp.err" ||
			complain "$shown: '$part' is not named"
	done
}

# good VAR VALUE...
good()
{
	variable=$1
	shift
	for text; do
		say_hi "$variable" "$text"
		[ "$lines" = 0 ] || complain "$shown: $(cat "$tmp/hp.err")"
	done
}

rc=0
env -i LD_PRELOAD="$HP_PRELOAD" /bin/true 2>"$tmp/hp.err" || rc=$?
ended "empty environment" 0
expect "empty environment, stderr" "" "$(cat "$tmp/hp.err")"

while read -r variable default; do
	for text in "" garbage -1 '“2M”' 99999999999999999999G "$long"; do
		bad "LIBHP_$variable" "$text" "$default"
	done
done <<'LIST'
MODE try
PAGES thp
MMAP pack
START 4M
BLOAT 25
REQUIRE none
PROBE off
SITES 0
FORK auto
NUMA local
INHERIT 1
LIST

# words and sizes where others are wanted
for text in 0 3M ' 2M' 2MB 2m; do
	bad LIBHP_MODE "$text" try
	bad LIBHP_MMAP "$text" pack
	bad LIBHP_FORK "$text" auto
	bad LIBHP_NUMA "$text" local
done
for text in 0 3M 2MB thp, ,thp thp,,2M; do
	bad LIBHP_PAGES "$text" thp
done
for text in 3M ' 2M' 2MB 2m 101; do
	bad LIBHP_REQUIRE "$text" none
done
for text in 3M ' 2M' 2MB 2m; do
	bad LIBHP_BLOAT "$text" 25
	bad LIBHP_SITES "$text" 0
	bad LIBHP_INHERIT "$text" 1
done
bad LIBHP_NUMA bind: local
bad LIBHP_REPORT fd: off
bad LIBHP_PROBE signal:NOPE off

# spellings one may take or refuse, but with one line at most
for text in ' 2M' 2MB 2m; do
	say_hi LIBHP_START "$text"
	[ "$lines" -le 1 ] || complain "$shown: $lines lines"
done

good LIBHP_MODE try off
good LIBHP_PAGES thp 2M 2M,thp thp,2M
good LIBHP_MMAP pack align off
good LIBHP_START 0 3M 4096 1G
good LIBHP_BLOAT 0 25 100
good LIBHP_REQUIRE 0
good LIBHP_REPORT off "$tmp/r" "json:$tmp/r.%p.%e"
good LIBHP_PROBE off
good LIBHP_SITES 0 1
good LIBHP_FORK auto share demote
good LIBHP_NUMA local interleave
good LIBHP_ONLY nothing nothing:echo
good LIBHP_INHERIT 0 1

# LIBHP_INHERIT=0 takes libhp out of LD_PRELOAD, however it is spelled, and
# leaves what else is there; shells bring a setenv of their own
# inherits LIST WANTED SHELL: what a program that SHELL runs finds
inherits()
{
	rc=0
	left=$(cd "${HP_PRELOAD%/*}" && LD_PRELOAD="$1" LIBHP_INHERIT=0 \
		LD_LIBRARY_PATH=. timeout 60 "$3" -c \
		'echo "${LD_PRELOAD-none}"; env | sed -n "s/^LD_PRELOAD=//p"') ||
		rc=$?
	[ "$rc" = 0 ] && [ "$(echo $left)" = "$2" ] ||
		complain "$3 with LD_PRELOAD='$1' leaves '$left': $rc"
}

one=$here/case_idle_counters.so
two=$here/case_slow_clock.so
own=${HP_PRELOAD##*/}
for shell in sh bash dash; do
	have $shell || continue
	inherits "$HP_PRELOAD" none $shell
	inherits " :$own: " none $shell
	inherits "$one:$HP_PRELOAD:$two" "$one:$two $one:$two" $shell
	inherits "$one ./$own $two" "$one:$two $one:$two" $shell
	inherits "$own $one" "$one $one" $shell
	inherits "$two:$own:$HP_PRELOAD" "$two $two" $shell
done

say_hi LIBHP_COLOUR blue
[ "$lines" = 1 ] && grep -q LIBHP_COLOUR "$tmp/hp.err" ||
	complain "an unknown variable is not named in one line"

expect "values judged wrongly" 0 "$failures"
