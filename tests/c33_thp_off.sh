# SPDX-License-Identifier: MIT
# THP never, or switched off by an ancestor's prctl: advice succeeds all the
# same, so the report must ask the kernel, and name the cause.
# From: bun PR #35691, redis PR #7381, systemd PR #39085.
. "$top_srcdir/tests/case.sh"

need_program python3

# nothing_huge CAUSE PROGRAM...: as plain, verdict none, only that cause
nothing_huge()
{
	cause=$1
	shift
	plain "$@"
	hp LIBHP_START=0 LIBHP_REPORT="json:$tmp/r.json" "$@"
	as_plain "$*"
	expect "verdict" none "$(value "$tmp/r.json" verdict)"
	expect "huge bytes" 0 "$(value "$tmp/r.json" managed.huge_bytes)"
	at_least "slots with reason $cause" 20 \
		"$(value "$tmp/r.json" "reasons.$cause")"
	rc=0
	hprun --start 0 --require 50 -- "$@" >"$tmp/hp.out" 2>"$tmp/hp.err" ||
		rc=$?
	ended "--require 50, $cause" 123
	hp LIBHP_START=0 LIBHP_REPORT=stderr "$@"
	grep -q -- "$cause" "$tmp/hp.err" ||
		fail "the text report does not say $cause"
}

nothing_huge prctl "$here/case_no_thp" "$here/case_fill" 64
need_pool 0
need_thp never
nothing_huge sysfs-never "$here/case_fill" 64
rc=0
hprun --mode on -- "$here/case_fill" 8 >"$tmp/hp.out" 2>"$tmp/hp.err" || rc=$?
ended "--mode on with nothing to be had" 125
expect "lines about it" 1 "$(wc -l <"$tmp/hp.err")"
