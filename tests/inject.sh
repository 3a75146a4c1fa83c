# SPDX-License-Identifier: MIT
# Each system call libhp makes fails in turn, once and for good: the program's
# output and status stay, at most one line appears, the report stays a report.
# HP_INJECT_MAX: how many of a call's occurrences are tried, spread evenly.
. "$top_srcdir/tests/case.sh"

need_program python3
most=${HP_INJECT_MAX:-3}
inject="$here/inject -m libhp-preload.so"
faults=0 unreached=0 bad=0

plain "$here/inject_work"
expect "the work without libhp" 0 "$plain_rc"

# errnos of a call: what the kernel may say, or a sandbox
errnos()
{
	case $1 in
	9 | 25) echo 12 ;;             # mmap, mremap: ENOMEM
	11) echo 12 ;;                 # munmap: ENOMEM at max_map_count
	28 | 440) echo 12 22 11 1 38 ;; # madvise, process_madvise
	0 | 1 | 3 | 5 | 257) echo 5 13 1 ;; # read, write, close, fstat, openat
	*) echo 1 22 38 ;;
	esac
}

# those that cannot fail, or whose failing for good no program survives
never_fails="39 202 228 231"       # getpid futex clock_gettime exit_group
only_once="9 11 25"                # mmap munmap mremap

is_in()
{
	case " $2 " in
	*" $1 "*) return 0 ;;
	esac
	return 1
}

# the report names a reason wherever memory is not huge, and claims no more
# than is there; without one nothing is claimed
report_is_sound()
{
	[ -s "$tmp/r.json" ] || return 0
	python3 - "$tmp/r.json" <<-'PY'
	import json, sys
	r = json.load(open(sys.argv[1]))
	m = r["managed"]
	present, huge = m["present_bytes"], m["huge_bytes"]
	if present is not None and huge is not None:
	    assert huge <= present, "more huge than present"
	    lost = present - huge - (m["unknown_bytes"] or 0)
	    assert lost <= 0 or r["reasons"], "no reason for what is not huge"
	PY
}

# fault CALL WHEN ERRNO [-s]
fault()
{
	rm -f "$tmp/r.json"
	faults=$((faults + 1))
	rc=0
	timeout 60 $inject -c "$1" -n "$2" -e "$3" ${4:-} env \
		LD_PRELOAD="$HP_PRELOAD" LIBHP_START=0 LIBHP_PAGES=$pages \
		LIBHP_REPORT="json:$tmp/r.json" "$here/inject_work" \
		>"$tmp/hp.out" 2>"$tmp/hp.err" </dev/null || rc=$?
	what="$pages, call $1 ($2${4:+ and after}) with errno $3"
	[ "$rc" = 124 ] && unreached=$((unreached + 1)) && return
	if [ "$rc" != 0 ] || ! cmp -s "$tmp/plain.out" "$tmp/hp.out"; then
		echo "$what: status $rc; $(tail -n 1 "$tmp/hp.err")"
	elif [ "$(wc -l <"$tmp/hp.err")" -gt 1 ]; then
		echo "$what: more than one line: $(head -n 2 "$tmp/hp.err")"
	elif ! report_is_sound >"$tmp/why" 2>&1; then
		echo "$what: $(tail -n 1 "$tmp/why")"
	else
		return
	fi
	bad=$((bad + 1))
}

# sweep CALL COUNT: some of its occurrences, and all from the first on
sweep()
{
	for errno in $(errnos "$1"); do
		for k in $(seq 0 $((most - 1))); do
			[ "$k" -lt "$2" ] || break
			when=$((1 + k * ($2 - 1) / (most > 1 ? most - 1 : 1)))
			[ "$2" -gt "$most" ] || when=$((k + 1))
			fault "$1" "$when" "$errno"
		done
		is_in "$1" "$only_once" || fault "$1" 1 "$errno" -s
	done
}

want_pool 16
for pages in thp 2M,thp; do
	rc=0
	$inject env LD_PRELOAD="$HP_PRELOAD" LIBHP_START=0 \
		LIBHP_PAGES=$pages LIBHP_REPORT="json:$tmp/r.json" \
		"$here/inject_work" >"$tmp/hp.out" 2>"$tmp/calls" || rc=$?
	[ "$rc" != 77 ] || skip "needs ptrace on x86-64"
	as_plain "the work under the injector"
	calls=$(wc -l <"$tmp/calls")
	[ "$calls" -gt 5 ] || fail "only $calls calls of libhp seen"
	while read -r call count <&3; do
		is_in "$call" "$never_fails" || sweep "$call" "$count"
	done 3<"$tmp/calls"
done
echo "$faults faults injected into $calls kinds of call," \
	"$unreached not reached, $bad with an outcome that is not the program's"
[ "$bad" = 0 ] || fail "$bad of $faults faults change the program"
