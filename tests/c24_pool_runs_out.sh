# SPDX-License-Identifier: MIT
# The pool runs out in the middle, while a neighbour takes and gives back:
# every allocation falls back, none is served by a promise.
# From: cloud-hypervisor #5730, #7387, chapel #8801, kernel 4a6018f7f4f1.
. "$top_srcdir/tests/case.sh"

need_program python3 mkfifo
need_root
want_pool 4
slot=$(($(pmd_kib) * 1024))

# with_neighbour VAR=VALUE...: the program beside a second user of the pool
with_neighbour()
{
	mkfifo "$tmp/stop"
	"$here/case_pool_take" <"$tmp/stop" >"$tmp/taken" &
	neighbour=$!
	exec 8>"$tmp/stop"
	hp LIBHP_REPORT="json:$tmp/r.json" LIBHP_START=0 "$@" \
		"$here/case_pool_short"
	exec 8>&-
	wait "$neighbour"
	rm "$tmp/stop"
	ended "$*" 0
	at_most "lines on stderr" 1 "$(grep -vc '^hugetlb_kb' "$tmp/hp.err")"
}

for ladder in 2M 2M,thp; do
	with_neighbour LIBHP_PAGES=$ladder
	at_most "hugetlb bytes" $((4 * slot)) \
		"$(value "$tmp/r.json" process.hugetlb_bytes)"
	pool_is_whole "$ladder"
done

hp LIBHP_PAGES=2M,thp LIBHP_START=0 LIBHP_REPORT="json:$tmp/r.json" \
	"$here/case_pool_short"
ended "alone" 0
at_least "hugetlb bytes, alone" "$slot" \
	"$(value "$tmp/r.json" process.hugetlb_bytes)"
at_most "hugetlb bytes, alone" $((4 * slot)) \
	"$(value "$tmp/r.json" process.hugetlb_bytes)"
pool_is_whole alone
