# SPDX-License-Identifier: MIT
# before Linux 6.7 (no PAGEMAP_SCAN, no PROCMAP_QUERY) reports tell as much
. "$top_srcdir/tests/case.sh"

grep -q '\[never\]' $thp/enabled && skip "needs THP"
script="x = [i for i in range(2000000)]
y = bytearray(30000000)
del x[1000:]"

# report_of COMMAND...: what is said of the program, as JSON
report_of()
{
	"$@" --only=python3 --report="json:$tmp/report" -- python3 -c "$script" ||
		fail "$*: status $?"
	cat "$tmp/report"
}

need_program python3
report_of hprun >"$tmp/new"
report_of "$here/case_deny" ioctl 25 hprun --probe=exit >"$tmp/old"
expect "verdict" "$(value "$tmp/new" verdict)" "$(value "$tmp/old" verdict)"
expect "bytes not known" 0 "$(value "$tmp/old" managed.unknown_bytes)"
for source in managed heap mmap; do
	new=$(value "$tmp/new" $source.huge_bytes)
	old=$(value "$tmp/old" $source.huge_bytes)
	at_least "$source: huge bytes" $((new - 3 * 2097152)) "$old"
	at_most "$source: huge bytes" $((new + 3 * 2097152)) "$old"
done
expect "slots with an unknown reason" "" "$(value "$tmp/old" reasons.unknown)"
# a busy machine may leave too few of them for a figure
at_least "stretches of loads timed" 1 \
	"$(value "$tmp/old" probe.live.chunks_total)"
