# SPDX-License-Identifier: MIT
# Job control, signals and the end of a program are to its caller with hprun
# what they are without
. "$top_srcdir/tests/lib.sh"

need_program python3
unset LD_PRELOAD
play="python3 $top_srcdir/tests/job_control.py"

$play >"$tmp/plain" || fail "the program alone"
$play hprun -- >"$tmp/hprun" || fail "hprun"
$play hprun --report=/dev/null -- >"$tmp/report" || fail "hprun --report"
for launcher in hprun report; do
	diff "$tmp/plain" "$tmp/$launcher" || fail "under $launcher"
done
