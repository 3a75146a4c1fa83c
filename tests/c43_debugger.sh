# SPDX-License-Identifier: MIT
# gdb beside, around and inside: the debugger with our heap in it, the
# debugged program, a running one attached to and left again.
# From: unified-memory-framework #269, libvma #42, shadow #76.
. "$top_srcdir/tests/case.sh"

need_program gdb
gdb -batch -nx -ex run -ex 'p $_exitcode' --args /bin/true 2>&1 |
	grep -q '= 0' || skip "gdb cannot run programs here"

# the loader's own malloc stops first, then ours
hp gdb -batch -nx -ex "break malloc" -ex run -ex bt -ex delete \
	-ex continue -ex 'p $_exitcode' --args /bin/ls /
ended "gdb under the preload" 0
grep -q '= 0$' "$tmp/hp.out" || fail "ls under gdb did not end with 0"
hp gdb -batch -nx -ex "break main" -ex run -ex "break malloc" \
	-ex continue -ex bt -ex 'info symbol $pc' -ex delete -ex continue \
	-ex 'p $_exitcode' --args "$here/case_errno"
ended "gdb with a breakpoint in our malloc" 0
grep -q 'malloc.*libhp-preload.so' "$tmp/hp.out" ||
	fail "it did not stop in our malloc: $(cat "$tmp/hp.out")"
grep -q '#1 .* main (' "$tmp/hp.out" ||
	fail "no backtrace through our malloc: $(cat "$tmp/hp.out")"
grep -q '= 0$' "$tmp/hp.out" || fail "the program did not end with 0"

for pages in thp 2M; do
	hp LIBHP_PAGES=$pages LIBHP_START=0 gdb -batch -nx -ex run \
		-ex 'p $_exitcode' --args "$here/case_errno"
	ended "a debugged program, $pages" 0
	grep -q '= 0$' "$tmp/hp.out" || fail "debugged, $pages: not 0"
done

if have strace; then
	rc=0
	strace -f -o "$tmp/trace" env LD_PRELOAD="$HP_PRELOAD" \
		"$here/case_fill" 8 >"$tmp/hp.out" 2>"$tmp/hp.err" || rc=$?
	ended "under strace" 0
fi

need_program mkfifo
mkfifo "$tmp/stop"
env LD_PRELOAD="$HP_PRELOAD" LIBHP_START=0 "$here/case_threads_sleep" \
	<"$tmp/stop" >"$tmp/sleep.out" 2>&1 &
program=$!
exec 8>"$tmp/stop"
until grep -q up "$tmp/sleep.out"; do
	kill -0 "$program" || fail "the program ended before it was attached"
	sleep 0.1
done
timeout 60 gdb -batch -nx -p "$program" -ex 'thread apply all bt 3' \
	-ex detach >"$tmp/gdb.out" 2>&1 8>&- || fail "gdb could not attach"
at_least "threads gdb saw" 100 "$(grep -c '^Thread' "$tmp/gdb.out")"
exec 8>&-
rc=0
wait "$program" || rc=$?
expect "the attached program's status" 0 "$rc"
expect "its last word" ok "$(tail -n 1 "$tmp/sleep.out")"
