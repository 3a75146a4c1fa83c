# SPDX-License-Identifier: MIT
# The report goes where it was sent, once per process image, and into nobody
# else's file; children inherit no descriptor.
# From: libvma #1064, fullscreenhack PR #2, rsyslog #1526, WhiteBeam #39.
. "$top_srcdir/tests/case.sh"

# reports: how many are in hp.err
reports()
{
	grep -o 'libhp.report/1' "$tmp/hp.err" | wc -l
}

# date and ls close their standard error before the library's turn comes
hp LIBHP_REPORT=stderr date +%Y
expect "bytes of date +%Y" 5 "$(wc -c <"$tmp/hp.out")"
[ -s "$tmp/hp.err" ] || fail "no report of a program that closes stderr"
at_most "lines of a text report" 25 "$(wc -l <"$tmp/hp.err")"

hp LIBHP_REPORT=json:stderr sh -c 'ls >/dev/null; exit 3'
ended "status of sh" 3
expect "reports of sh and ls" 2 "$(reports)"

if have perl; then
	hp LIBHP_REPORT=json:stderr perl -e 'fork; exit 3'
	ended "status of a forking perl" 3
	expect "reports of a forking perl" 1 "$(reports)"
fi

for backend in thp 2M; do
	rm -f "$tmp/out.txt"
	hp LIBHP_REPORT=stderr LIBHP_PAGES=$backend "$here/case_close_all" \
		"$tmp/out.txt"
	ended "daemon's status" 0
	expect "daemon's file" data "$(cat "$tmp/out.txt")"
done

hp LIBHP_REPORT=fd:9 sh -c 'exit 4' 9>"$tmp/nine"
ended "status with fd:9" 4
[ -s "$tmp/nine" ] || fail "no report on descriptor 9"
hp LIBHP_REPORT="json:$tmp/%e.%p" sh -c 'echo $$; exit 5'
ended "status with a path" 5
[ -s "$tmp/sh.$(cat "$tmp/hp.out")" ] ||
	[ -s "$tmp/dash.$(cat "$tmp/hp.out")" ] ||
	[ -s "$tmp/bash.$(cat "$tmp/hp.out")" ] || fail "no report at %e.%p"
# lost REPORT WHY: one line tells where the report was to go, and why it is not
lost()
{
	hp LIBHP_REPORT="$1" sh -c 'exit 6'
	ended "status when '$1' cannot be written" 6
	expect "lines about '$1'" 1 "$(wc -l <"$tmp/hp.err")"
	grep -qF "'${1#json:}' not written: $2" "$tmp/hp.err" ||
		fail "'$1': $(cat "$tmp/hp.err")"
}
lost /nonexistent/dir/file "No such file or directory"
lost "$tmp" "Is a directory"
[ ! -c /dev/full ] || lost json:/dev/full "No space left on device"
lost fd:9 "Bad file descriptor"

# a FIFO: nobody waits for a reader that is not there, but for a slow one
mkfifo "$tmp/fifo" "$tmp/fifo.heap"
lost "$tmp/fifo" "nobody reads it"
rc=0
timeout 60 env LD_PRELOAD="$HP_PRELOAD" LIBHP_SITES="$tmp/fifo.heap" sh -c \
	'exit 6' 2>"$tmp/hp.err" || rc=$?
ended "status with call stacks for nobody" 6
grep -q "fifo.heap' not written: nobody reads it" "$tmp/hp.err" ||
	fail "call stacks for nobody: $(cat "$tmp/hp.err")"
if have python3 && have perl; then
	python3 -c 'import fcntl, os, sys, time
fifo = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)
fcntl.fcntl(fifo, fcntl.F_SETPIPE_SZ, 4096)
print("open", flush=True)
time.sleep(1)
os.set_blocking(fifo, True)
report = open(fifo).read()
open(sys.argv[2], "w").write(report)
' "$tmp/fifo.heap" "$tmp/read" >"$tmp/reader" &
	while ! [ -s "$tmp/reader" ]; do sleep 0.1; done
	hp LIBHP_SITES="$tmp/fifo.heap" perl -MPOSIX -e 'exit 6'
	ended "status with a slow reader" 6
	wait
	grep -q perl "$tmp/read" || fail "a slow reader got no mappings"
	at_least "bytes a slow reader got" 5000 "$(wc -c <"$tmp/read")"
fi

# slow_pipe [VAR=VALUE...] PROGRAM...: its stderr is a pipe, not blocking, that is
# nearly full and read after two seconds; $tmp/read is what it wrote
slow_pipe()
{
	timeout 60 python3 -c 'import fcntl, os, subprocess, sys, time
out, full = os.pipe()
fcntl.fcntl(full, fcntl.F_SETPIPE_SZ, 4096)
os.set_blocking(full, False)
os.write(full, b"-" * 4000)
job = subprocess.Popen(sys.argv[1:], stderr=full)
os.close(full)
time.sleep(2)
sys.stdout.write(open(out).read()[4000:])
sys.exit(job.wait())
' env LD_PRELOAD="$HP_PRELOAD" LIBHP_REPORT=json:stderr "$@" >"$tmp/read" || rc=$?
}

# a pipe that whoever shares it made non-blocking gets the whole report as well,
# and no handler ends the process in the middle, wherever it is written
if have python3; then
	rc=0
	slow_pipe perl -e 1
	ended "status of a report into a non-blocking pipe" 0
	expect "schema out of a non-blocking pipe" libhp.report/1 \
		"$(value "$tmp/read" schema)"
	for how in exit _exit; do
		rc=0
		slow_pipe LIBHP_PROBE=exit "$here/case_exit_handler" $how 1000 busy
		ended "$how in a handler while $how reports" 7
		expect "schema of a report with $how in a handler" \
			libhp.report/1 "$(value "$tmp/read" schema)"
	done
fi

# a reader that has gone, or a file that may not grow, ends no program
mkfifo "$tmp/pipe"
exec 8<>"$tmp/pipe" 7>"$tmp/pipe" 8<&-
for say in LIBHP_REPORT=fd:7 LIBHP_REPORT=json:stderr LIBHP_MODE=no \
	LIBHP_REQUIRE=100; do
	rc=0
	env LD_PRELOAD="$HP_PRELOAD" "$say" sh -c 'exit 6' 2>&7 || rc=$?
	ended "status with $say and no reader" 6
done
exec 7>&-
for say in LIBHP_REPORT="$tmp/small" LIBHP_MODE=no LIBHP_REQUIRE=100; do
	hp "$say" prlimit --fsize=0 sh -c 'exit 6'
	ended "status with $say and RLIMIT_FSIZE 0" 6
done

hp LIBHP_REPORT=stderr "$here/case_background" sh -c 'exit 6'
ended "status of a job in the background of a terminal" 6

# nor does anything else said at exit go into a file of the program's
hp LIBHP_REQUIRE=100 "$here/case_close_all" "$tmp/out.txt"
expect "daemon's file with a requirement" data "$(cat "$tmp/out.txt")"

# descriptors: the program meets the numbers it would meet without libhp, and
# what it starts inherits none
same sh -c 'ls /proc/self/fd | wc -l'
same LIBHP_REPORT="$tmp/r" sh -c 'ls /proc/self/fd | wc -l'
for report in off stderr "$tmp/r"; do
	same LIBHP_REPORT="$report" env -u LD_PRELOAD sh -c \
		'ls /proc/self/fd | wc -l'
	same LIBHP_REPORT="$report" sh -c \
		'exec env -u LD_PRELOAD ls /proc/self/fd'
	have python3 && same LIBHP_REPORT="$report" python3 -c \
		'import os; print(os.open("/dev/null", 0), os.dup(1))'
done

# threads that end the process at the same time: one report, whole
for how in "" now; do
	for try in 1 2 3 4 5; do
		hp LIBHP_REPORT=json:"$tmp/race.json" "$here/case_exit_race" $how
		ended "threads that exit together, $how" 7
		expect "schema of the report of '$how'" libhp.report/1 \
			"$(value "$tmp/race.json" schema)"
	done
done

# a handler that interrupts malloc and mmap ends it: one report, whole
for how in exit _exit; do
	for ticks in 1 2 5 20 60; do
		hp LIBHP_REPORT=json:"$tmp/handler.json" LIBHP_START=0 \
			"$here/case_exit_handler" $how $ticks
		ended "$how in a handler after $ticks ms" 7
		expect "schema of the report of $how in a handler" \
			libhp.report/1 "$(value "$tmp/handler.json" schema)"
	done
done
