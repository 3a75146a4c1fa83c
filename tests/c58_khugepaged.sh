# SPDX-License-Identifier: MIT
# What was given back stays given back: khugepaged does not fill the holes of
# slots that libhp broke up, neither where THP is "madvise" nor "always".
# From: max_ptes_none in the kernel's admin-guide/mm/transhuge.rst.
. "$top_srcdir/tests/case.sh"

need_root
scans=$thp/khugepaged/full_scans
[ -r "$scans" ] || skip "needs khugepaged"
set_kernel $thp/khugepaged/scan_sleep_millisecs 10
set_kernel $thp/khugepaged/pages_to_scan 200000
set_kernel $thp/khugepaged/max_ptes_none 511

rss()
{
	awk '/^VmRSS:/ { print $2 }' "/proc/$1/status"
}

# let khugepaged come by three times, or a minute
wait_for_scans()
{
	until=$(($(cat "$scans") + 3))
	for tenth in $(seq 600); do
		[ "$(cat "$scans")" -lt $until ] || return 0
		sleep 0.1
	done
	skip "khugepaged does not come by"
}

mkfifo "$tmp/in" "$tmp/said"
for mode in madvise always; do
	need_thp $mode
	env LD_PRELOAD="$HP_PRELOAD" "$here/case_release" \
		<"$tmp/in" >"$tmp/said" &
	release=$!
	exec 7>"$tmp/in"
	read -r word <"$tmp/said"
	expect "the program's word" freed "$word"
	before=$(rss $release)
	at_most "kB left of 204800, THP $mode" 60000 "$before"
	wait_for_scans
	at_most "kB after khugepaged, THP $mode" $((before + 4096)) \
		"$(rss $release)"
	exec 7>&-
	wait $release
	expect "status, THP $mode" 0 $?
done
