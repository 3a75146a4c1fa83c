# SPDX-License-Identifier: MIT
# The biggest blocks profit most: each path to them takes huge pages, also
# after an empty pool, and realloc does not double the peak.
# From: mimalloc #1290, PR #1328, jemalloc PR #139, asmjit #509.
. "$top_srcdir/tests/case.sh"

free_kb=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
[ "${free_kb:-0}" -gt 3500000 ] || skip "needs 3.5 GB of free memory"
want_thp madvise
want_pool 0
want_kb=$((1536 * 1024 * 95 / 100))

for ladder in thp 2M,thp; do
	hp LIBHP_PAGES=$ladder "$here/case_big" one 1536
	ended "a block of 1.5 GiB, $ladder" 0
	at_least "huge kB of 1.5 GiB, $ladder" $want_kb "$(figure huge_kb)"
done
hp "$here/case_big" grow 1024
ended "growth to 1 GiB" 0
at_most "peak kB of growth to 1 GiB" $((1024 * 1024 * 16 / 10)) \
	"$(figure peak_kb)"
at_least "huge kB of 1 GiB" $((1024 * 1024 * 95 / 100)) "$(figure huge_kb)"
