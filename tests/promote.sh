# SPDX-License-Identifier: MIT
# hppromote puts the memory of a running process on huge pages, and harms none
. "$top_srcdir/tests/lib.sh"
. "$top_srcdir/tests/target.sh"

outputs hppromote
for bad in --rate=0 --rate=x --rate=-1 --until=0 --until=101 --resident=101 \
	--resident=1.5; do
	run 125 hppromote "$bad" $$
	complains "${bad%%=*}: bad value '${bad#*=}': give"
done
run 125 hppromote
complains "no process given"
run 125 hppromote --exe "no such program"
complains "no process runs 'no such program'"
run 125 hppromote --exe ""
complains "exe: bad value '': give"
run 125 hppromote --exe "no such/program"
complains "no process runs 'no such/program'"
run 125 hppromote $$ 1073741823
complains "no such process"

case_target=$top_builddir/tests/case_target
start_target "$case_target" 8 3 2

# who lacks the privilege is told which
if [ "$(id -u)" != 0 ]; then
	run 2 hppromote $target
	complains "CAP_SYS_"
	run 2 hppromote --dry-run $target
	skip "needs root; only the refusal was checked"
fi

if command -v setpriv >/dev/null && setpriv --bounding-set=-sys_nice \
	--inh-caps=-sys_nice true 2>/dev/null; then
	setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice \
		"$(command -v hppromote)" $target >"$tmp/out" 2>"$tmp/err"
	expect "status without CAP_SYS_NICE" 2 $?
	err=$(cat "$tmp/err")
	complains "CAP_SYS_NICE"
fi
end_target

# or khugepaged takes part
need_thp madvise
need_program python3
# promoted COMMAND...: of the first process of the last JSON
promoted()
{
	figure "o['processes'][0]$1"
}

# a rehearsal changes nothing
start_target "$case_target" 8 3 2
run 0 hppromote --dry-run $target
says "would promote 8 of 8 slots"
says "3 slots less than 80 % resident"
says "2 slots the program marked"
run 0 hppromote --dry-run --json $target
valid promote
before=$(promoted "['before']['huge_bytes']")

# by and by: a part, then all, then what is sparse
run 0 hppromote --until 25 --json $target
valid promote
expect "why it stopped" until "$(promoted "['stopped']")"
expect "enough, and not much more" True \
	"$(promoted "['after']['coverage'] >= 0.25 and
	o['processes'][0]['slots']['promoted'] < 8")"
expect "the rehearsal changed nothing" "$before" \
	"$(promoted "['before']['huge_bytes']")"
run 0 hppromote --json $target
expect "success" done "$(promoted "['success']")"
expect "slots that are huge now" 8 \
	"$(promoted "['slots']['promoted'] +
	o['processes'][0]['slots']['huge_before']")"
expect "slots left alone" "0 3 2" "$(figure \
	"'%(failed)d %(sparse)d %(program_advice)d' % o['processes'][0]['slots']")"
run 0 hppromote --json --resident 0 $target
expect "sparse slots promoted" 3 "$(promoted "['slots']['promoted']")"
run 0 hppromote $target
says "promoted 0 of 0 slots"
says "huge before: 11 slots"
end_target

# by name, and slowly; interrupted, it tells what was done
cp "$case_target" "$tmp/hp_target_name"
start_target "$tmp/hp_target_name" 6
run 0 hppromote --exe hp_target_name --until 20
says "PID $target (hp_target_name)"
run 0 hppromote --exe "$tmp/hp_target_name" --dry-run
says "PID $target (hp_target_name)"
# without a shell between, which would leave SIGINT ignored in the background
python3 - $target "$tmp/out" <<'END' || fail "interrupted, it ended otherwise"
import signal, subprocess, sys, time

with open(sys.argv[2], "w") as out:
    tool = subprocess.Popen(["hppromote", "--rate=512K", sys.argv[1]],
                            stdout=out)
    time.sleep(1)
    tool.send_signal(signal.SIGINT)
    sys.exit(tool.wait() != 130)
END
out=$(cat "$tmp/out")
says "interrupted"
says "promoted 1 of"
hppromote $target >&- 2>"$tmp/err"
expect "status with its output closed" 125 $?
run 0 hppromote $target
says "promoted 0 of 0 slots"
end_target

# what forbids it is named
start_target "$top_builddir/tests/case_no_thp" "$case_target" 4
run 2 hppromote $target
complains "PR_SET_THP_DISABLE"
run 2 hppromote --json $target
valid promote
end_target

# a static program, which no library could enter
$CC -static -I"$top_srcdir" -o "$tmp/static" "$top_srcdir/tests/case_target.c" \
	2>/dev/null || skip "needs a static libc; the rest was checked"
start_target "$tmp/static" 4
run 0 hppromote $target
says "promoted 4 of 4 slots"
end_target
