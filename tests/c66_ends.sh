# SPDX-License-Identifier: MIT
# However a program ends: its own status, and one report wherever libhp can know.
. "$top_srcdir/tests/case.sh"

# ends REPORTS STATUS HOW [WHERE [PROGRAM]]: as hprun sees it
ends()
{
	reports=$1 status=$2 rc=0
	shift 2
	rm -f "$tmp/report"
	timeout 60 hprun --report=json:"$tmp/report" -- "$here/case_ends" "$@" \
		2>"$tmp/hp.err" || rc=$?
	expect "status of $*" "$status" "$rc"
	if [ "$reports" = 0 ]; then
		[ ! -s "$tmp/report" ] || fail "a report of $*"
	else
		expect "reports of $*" 1 \
			"$(grep -c libhp.report/1 "$tmp/report")"
		expect "schema of $*" libhp.report/1 \
			"$(value "$tmp/report" schema)"
	fi
}

for how in exit _exit _Exit quick_exit errx exit_group thread_by_number \
	after_thread_by_number exec after_vfork after_children; do
	ends 1 7 $how
done
for how in exit _exit quick_exit exit_group; do
	ends 1 7 $how thread
	ends 1 7 $how handler
done
ends 1 7 last_thread
ends 1 0 pthread_exit
ends 1 0 daemon

# nobody tells libhp; a signal is the program's status, the rest is hprun's 122
ends 0 134 abort
ends 0 143 signal
ends 0 122 past_libc
echo 'int main(void) { return 7; }' >"$tmp/static.c"
if $CC -static -o "$tmp/static" "$tmp/static.c" 2>/dev/null; then
	ends 0 122 exec "" "$tmp/static"
fi
