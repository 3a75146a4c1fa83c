# SPDX-License-Identifier: MIT
# hprun against a stand-in for the library: options, statuses, signals
. "$top_srcdir/tests/lib.sh"

hprun=${HPRUN:-$top_builddir/hprun}
fake=$tmp/fake.so
$CC -shared -fPIC -o "$fake" "$top_srcdir/tests/fake_preload.c" ||
	fail "the stand-in does not build"
unset LD_PRELOAD $(env | sed -n 's/^\(LIBHP_[A-Z]*\)=.*/\1/p')
TMPDIR=$tmp/results
mkdir "$TMPDIR"
export TMPDIR
cd "$tmp" || exit 99

# run WANTED-STATUS ARGS...: leaves stdout in $out and stderr in $err
run()
{
	wanted=$1
	shift
	"$hprun" --library="$fake" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	out=$(cat "$tmp/out")
	err=$(cat "$tmp/err")
	expect "status of hprun $*; it said '$err'" "$wanted" "$status"
	expect "files left by hprun $*" "" "$(ls "$TMPDIR")"
}

one_line()
{
	expect "lines on stderr" 1 "$(wc -l <"$tmp/err")"
	case $err in
	hprun:*"$1"*) ;;
	*) fail "want a line with '$1', got '$err'" ;;
	esac
}

quiet()
{
	expect "stderr" "" "$err"
}

report()
{
	printf '{"schema":"libhp.report/1","process":{"present_bytes":%s' \
		104857600
	printf ',"huge_bytes":%s,"coverage":%s}' "$2" "$1"
	printf ',"reasons":{"not-touched":50,"sysfs-never":40,"released":2}'
	printf ',"requirement":{"percent":50,"met":%s}}' "$3"
}

options_map_to_variables()
{
	run 0 --dry-run "$@" prog
	expect "hprun $*" "env $wanted_env LD_PRELOAD=$fake prog" "$out"
	quiet
}

maps()
{
	wanted_env=$1
	shift
	options_map_to_variables "$@"
}

maps LIBHP_MODE=off --mode off
maps LIBHP_MODE=on --mode=on
maps LIBHP_PAGES=2M,thp --pages 2M,thp
maps LIBHP_MMAP=align --mmap align
maps LIBHP_START=64K --start=64K
maps LIBHP_BLOAT=10 --bloat 10
maps LIBHP_REQUIRE=95 --require 95
maps LIBHP_REPORT=stderr --report
maps LIBHP_REPORT=json:stderr --report=json
maps "LIBHP_REPORT=json:$tmp/r.json" --report=json:r.json
maps "LIBHP_REPORT=$tmp/r.txt" --report:r.txt
maps "LIBHP_REPORT=$tmp/r.%p" --report=r.%p
maps LIBHP_REPORT=/dev/null --report=/dev/null
maps LIBHP_REPORT=fd:7 --report=fd:7
maps LIBHP_REPORT=off --report=off
maps LIBHP_PROBE=exit --probe
maps LIBHP_PROBE=every:30s --probe=every:30s
maps LIBHP_SITES=1 --sites
maps LIBHP_SITES=0 --sites=0
maps "LIBHP_SITES=$tmp/s.%p.heap" --sites=s.%p.heap
maps "LIBHP_SITES=$TMPDIR/s.folded" "--sites=$TMPDIR/s.folded"
maps LIBHP_FORK=demote --fork demote
maps LIBHP_NUMA=interleave --numa interleave
maps LIBHP_ONLY=a:b --only a:b
maps LIBHP_INHERIT=0 --no-inherit
maps "LIBHP_MODE=try LIBHP_BLOAT=5" --mode off --bloat 5 --mode try

mkdir "$tmp/5%x"
cd "$tmp/5%x" || exit 99
maps "LIBHP_REPORT=$tmp/5%%x/r" --report=r
cd "$tmp" || exit 99

# the printed command does what hprun would
run 0 --dry-run --mode off -- sh -c 'echo "$LIBHP_MODE" $1' a "b'  c"
expect "dry run" "off b' c" "$(eval "$out")"

LD_PRELOAD=/other.so
export LD_PRELOAD
run 0 --dry-run prog 2>/dev/null
unset LD_PRELOAD
expect "others stay, behind" "env LD_PRELOAD=$fake:/other.so prog" "$out"

# errors of hprun's own: one line, naming the option and what it takes
bad()
{
	run 125 "$@" /bin/echo no
	expect "program did not run" "" "$out"
	one_line "$want"
}
want="--mode: bad value 'fast': give" bad --mode fast
want="--mode: bad value ''" bad --mode=
want="--pages: bad value '3M'" bad --pages 3M
want="--start: bad value '-1'" bad --start=-1
want="--require: bad value '101'" bad --require 101
want="--require: bad value '9?9'" bad --require '9
9'
want="--report: directory '/nonexistent'" bad --report=/nonexistent/r
want="--bogus" bad --bogus
want="--m=off" bad --m=off
want="--mode" bad --mode
want="'-x'" bad -x
run 125
one_line "no program"
run 125 --mode
one_line "needs a value"
long=$(head -c 100000 /dev/zero | tr '\0' x)
"$hprun" --library="$fake" --mode "$long" true 2>"$tmp/err"
err=$(cat "$tmp/err")
one_line "--mode"
[ ${#err} -lt 300 ] || fail "the line is ${#err} bytes long"
"$hprun" --library=/nonexistent.so true 2>"$tmp/err"
expect "no library" 125 $?
mkdir "$tmp/a b" && cp "$fake" "$tmp/a b/"
"$hprun" --library="$tmp/a b/fake.so" true 2>"$tmp/err"
expect "unnameable library" 125 $?

"$hprun" --help >"$tmp/out" || fail "--help"
grep -q "^  --require=" "$tmp/out" || fail "--help says nothing of --require"
"$hprun" --version >"$tmp/out" || fail "--version"
"$hprun" --help >/dev/full 2>"$tmp/err"
expect "--help to a full device" 125 $?

# the program's own status, arguments, streams and descriptors
run 7 sh -c 'exit 7'
quiet
run 123 sh -c 'exit 123'
quiet
run 0 -- printf '%s|' --mode '' 'a b'
expect "arguments" "--mode||a b|" "$out"
expect "stdin and stdout" "hello" \
	"$(echo hello | "$hprun" --library="$fake" --report=/dev/null \
		env FAKE_REPORT="$(report 1 0 true)" cat 2>/dev/null)"
plain=$(ls /proc/self/fd | wc -l)
expect "descriptors" "$plain" \
	"$("$hprun" --library="$fake" --require 0 ls /proc/self/fd 2>/dev/null |
		wc -l)"

run 127 --require 5 ./nonexistent
one_line "'./nonexistent': No such file"
# in directories that can be searched: EACCES of another would be remembered
old_path=$PATH
PATH=/usr/bin:/bin
run 127 nonexistent-program
PATH=$old_path
: >"$tmp/plain"
run 126 ./plain
one_line "'./plain': Permission denied"
run 126 "$tmp"

# found where env(1) finds it: past directories and what may not be executed,
# in an empty element, relative to the working directory
mkdir -p "$tmp/path/a/odd" "$tmp/path/b" "$tmp/path/c"
echo 'echo "$0 ran"' | tee "$tmp/path/b/odd" >"$tmp/path/c/odd"
chmod +x "$tmp/path/c/odd"
reports=$(report 1 0 true)
cd "$tmp/path/c" || exit 99
for path in ../a:../b:../c ../a:../b: ../a::/bin :../b ../a:../b ../a ../x; do
	for option in --only=none --report=/dev/null; do
		there=$(PATH=$path:/usr/bin:/bin env odd 2>/dev/null)
		wanted="$? $there"
		there=$(PATH=$path:/usr/bin:/bin FAKE_REPORT=$reports "$hprun" \
			--library="$fake" $option odd 2>/dev/null)
		expect "odd in PATH=$path" "$wanted" "$? $there"
	done
done
cd "$tmp" || exit 99

# killed: as the program was, which the shell says, and nothing more to say
run 137 --require 50 sh -c 'kill -KILL $$'
expect "lines of hprun" 0 "$(grep -c hprun: "$tmp/err")"
run 139 --require 50 sh -c 'kill -SEGV $$'
run 139 sh -c 'kill -SEGV $$'

# reported JSON COMMAND...: with what the stand-in leaves at exit
reported()
{
	FAKE_REPORT=$1
	export FAKE_REPORT
	shift
	"$@"
	unset FAKE_REPORT
}

# what the library left behind decides
reported "$(report 0.75 78643200 true)" run 0 --require 50 true
quiet
reported "$(report 0.75 78643200 true)" run 1 --require 50 false
reported "$(report 0.75 78643200 true)" run 3 --require 50 sh -c "exit 3"
reported "$(report 0.25 26214400 false)" run 123 --require 50 true
one_line "50 % on huge pages required, 25.0 % reached (25.0 of 100.0 MiB)"
one_line "mostly sysfs-never"
reported "$(report 0.25 26214400 null)" run 123 --require 50 true
reported "$(report null null null)" run 123 --require 50 true
one_line "could not be asked"
reported "$(report 0.25 26214400 false)" run 0 --report=/dev/null true
FAKE_STATUS=123
export FAKE_STATUS
reported "$(report 0 0 false)" run 123 --require 50 true
quiet
unset FAKE_STATUS
reported '{"process":' run 122 --require 50 true
one_line "libhp was loaded into 'true', but left no report"
FAKE_REFUSE=1
export FAKE_REFUSE
run 125 --mode on true
unset FAKE_REFUSE
expect "the refusal is the library's own line" "libhp: refused" "$err"
LIBHP_REQUIRE=50
export LIBHP_REQUIRE
reported "$(report 0.25 26214400 false)" run 123 true
unset LIBHP_REQUIRE
reported "$(report 0.25 26214400 false)" run 0 --require 50 --only other true

# signals sent to hprun reach the program, whose end is then hprun's
waits_for()
{
	for i in $(seq 100); do
		[ -s "$1" ] && return
		sleep 0.1
	done
	fail "the program did not start"
}

forwards()
{
	rm -f "$tmp/pid"
	env FAKE_REPORT="$(report 1 104857600 true)" "$hprun" \
		--library="$fake" --require 50 sh -c \
		'trap "exit 9" '"$1"'; echo $$ >"'"$tmp"'/pid"
		while :; do sleep 0.1; done' 2>"$tmp/err" &
	waits_for "$tmp/pid"
	kill -"$1" $!
	wait $!
	expect "SIG$1 to hprun" 9 $?
	expect "files left" "" "$(ls "$TMPDIR")"
	! kill -0 "$(cat "$tmp/pid")" 2>/dev/null || fail "the program lives on"
}

# a shell leaves SIGINT and SIGQUIT ignored in what it starts with "&"
for signal in TERM HUP USR1; do
	forwards $signal
done

rm -f "$tmp/pid"
"$hprun" --library="$fake" --require 50 sh -c \
	'echo $$ >"'"$tmp"'/pid"; exec sleep 60' 2>"$tmp/err" &
waits_for "$tmp/pid"
kill -TERM $!
wait $!
expect "program ended by SIGTERM" 143 $?
expect "lines of hprun" 0 "$(grep -c hprun: "$tmp/err")"

# an ignored SIGCHLD must not lose the status, and stays ignored for others
if command -v python3 >/dev/null; then
	python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$hprun" --library="$fake" sh -c 'exit 5'
	expect "status under an ignored SIGCHLD" 5 $?
fi

# a report that finds no room is not a library that was not loaded
prlimit --fsize=0 "$hprun" --library="$HP_PRELOAD" --report=off --require 1 \
	sh -c 'exit 5' 2>&1 | cat >"$tmp/room"
grep -q "no report of 'sh', and files may not be larger than 0 bytes" "$tmp/room" ||
	fail "RLIMIT_FSIZE 0: $(cat "$tmp/room")"

# a program the library cannot enter runs all the same, and is not a success
printf '%s\n' '#include <stdio.h>' \
	'int main(void) { puts("hello"); return 0; }' >"$tmp/hello.c"
$CC -static -o "$tmp/hello" "$tmp/hello.c" 2>/dev/null ||
	skip "needs a static libc; all but the static program was checked"
run 0 ./hello
quiet
run 122 --report ./hello
expect "output of a static program" hello "$out"
one_line "libhp was not loaded into './hello': it is statically linked"
prlimit --fsize=0 "$hprun" --report ./hello 2>&1 | cat >"$tmp/room"
grep -q "it is statically linked" "$tmp/room" ||
	fail "static under RLIMIT_FSIZE 0: $(cat "$tmp/room")"
run 122 --require 50 ./hello
run 122 --mode on ./hello
run 122 --report sh -c 'exec ./hello'
one_line "left no report"
run 0 --report --only other ./hello

# a program of another libc runs too, without the library it cannot load
command -v musl-gcc >/dev/null && musl-gcc -o "$tmp/hello" "$tmp/hello.c" ||
	exit 0
run 122 --report ./hello
expect "output of a musl program" hello "$out"
one_line "its loader is not glibc's"
