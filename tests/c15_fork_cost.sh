# SPDX-License-Identifier: MIT
# What huge pages cost a child that writes here and there, and a program that
# is over at once: no more than THP costs by itself.
# From: jemalloc #473, rust #36705, redis #2844, mimalloc #229.
. "$top_srcdir/tests/case.sh"

base=$("$here/case_max_rss" /bin/true)
under=$(CASE_PRELOAD=$HP_PRELOAD "$here/case_max_rss" /bin/true)
at_most "peak kB of /bin/true" $((base + 2048)) "$under"

# dirty WHAT LIMIT SETTING...: kB a child owns after 64 single bytes
dirty()
{
	what=$1
	limit=$2
	shift 2
	hp "$@" "$here/case_fork_dirty"
	ended "$what" 0
	at_most "$what: dirty kB of the child" "$limit" "$(figure dirty_kb)"
}

slot=$(pmd_kib)
[ "$slot" -gt 0 ] || skip "needs the PMD size"
dirty "huge pages" $((64 * slot + 4096)) LIBHP_START=0
dirty "LIBHP_MODE=off" 2048 LIBHP_MODE=off
