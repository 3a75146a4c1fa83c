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

# what the program is given is what env(1) gives it, in odd circumstances too
cat >odd.py <<'EOF'
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGTERM,
                                          signal.SIGTSTP, signal.SIGRTMIN])
for ignored in (signal.SIGHUP, signal.SIGCHLD, signal.SIGTTOU, signal.SIGPIPE):
    signal.signal(ignored, signal.SIG_IGN)
if sys.argv[1] == "pending":
    os.kill(os.getpid(), signal.SIGUSR1)
os.umask(0o27)
os.nice(3)
os.execvp(sys.argv[2], sys.argv[2:])
EOF
signals="grep -E ^(Sig[PBI]|Shd|Umask|NoNew|Seccomp|Groups) /proc/self/status"
state='cut -d" " -f6-8,19 /proc/$$/stat; pwd; ls /proc/$$/fd
	tr "\0" "\n" </proc/$$/cmdline'
chosen="--report=/dev/null"
python3 odd.py pending env $signals >plain
python3 odd.py none env sh -c "$state" >>plain
for option in --only=none "$chosen" --require=0 "--probe $chosen" \
	"--sites $chosen" "--mode=off $chosen"; do
	python3 odd.py pending hprun $option -- $signals >given
	python3 odd.py none hprun $option -- sh -c "$state" >>given
	diff plain given || fail "hprun $option is seen by the program"
	sh -c 'ls /proc/$$/fd >plain.fd; exit 3' <&- >&- 2>&-
	hprun $option -- sh -c 'ls /proc/$$/fd >given.fd; exit 3' <&- >&- 2>&-
	expect "status of hprun $option without streams" 3 $?
	diff plain.fd given.fd || fail "hprun $option opens a stream"
	expect "hprun $option with room for one descriptor" hello \
		"$(prlimit --nofile=4 hprun $option -- echo hello 2>err)"
done

# one line for what is too long only with what hprun adds
python3 - "$(command -v hprun)" --report=/dev/null --require=0 <<'EOF' || fail E2BIG
import os, subprocess, sys

words = ["x" * 100000] * (os.sysconf("SC_ARG_MAX") // 100000)

def run(pad):
    try:
        return subprocess.run([*sys.argv[1:], "--", "true", *words, "y" * pad],
                              stderr=subprocess.PIPE, text=True)
    except OSError:
        return None

fits, too_long = 1, 130000
while too_long - fits > 1:
    pad = (fits + too_long) // 2
    fits, too_long = (pad, too_long) if run(pad) else (fits, pad)
last = run(fits)
sys.exit(last.returncode != 126 or
         last.stderr != "hprun: 'true': Argument list too long\n")
EOF
