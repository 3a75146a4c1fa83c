# SPDX-License-Identifier: MIT
# fuzz_heap.sh - random blocks keep their contents, apart from each other
#
# HP_FUZZ_STEPS steps (default 20000) a run, HP_FUZZ_SEED (default 1).
. "$top_srcdir/tests/lib.sh"

fuzz=$top_builddir/tests/fuzz_heap
steps=${HP_FUZZ_STEPS:-20000}
seed=${HP_FUZZ_SEED:-1}

# run OPTIONS SETTINGS...
run()
{
	options=$1
	shift
	env LD_PRELOAD="$HP_PRELOAD" "$@" "$fuzz" $options "$seed" "$steps" ||
		fail "$* fuzz_heap $options $seed $steps"
}

# what does not hold of libc's heap would say nothing of ours
"$fuzz" -t 2 "$seed" "$steps" || fail "plain fuzz_heap $seed $steps"

run "" LIBHP_START=4M
run "" LIBHP_START=0 LIBHP_BLOAT=0
run "" LIBHP_MODE=off
run "-t 4" LIBHP_START=1M LIBHP_BLOAT=5
run "-t 3 -f" LIBHP_START=0
run "-t 2" LIBHP_START=0 LIBHP_PAGES=2M,thp
