# SPDX-License-Identifier: MIT
# fuzz_maps.sh - random mmap sequences answer the same with and without libhp
#
# Those of tests/corpus/fuzz_maps_twin, and HP_FUZZ_COUNT (default 400) from
# HP_FUZZ_SEED (default 1) on, for every way libhp can be set up. For a million:
#	make check TESTS=tests/fuzz_maps.sh HP_FUZZ_COUNT=200000
# A mismatch is made as small as it gets and printed with its seed.
. "$top_srcdir/tests/lib.sh"

fuzz=$top_builddir/tests/fuzz_maps
count=${HP_FUZZ_COUNT:-400}
seed=${HP_FUZZ_SEED:-1}
corpus=$top_srcdir/tests/corpus/fuzz_maps_twin

# twin FILE OPTIONS SETTINGS...: the same run, preloaded if there are settings
twin()
{
	out=$1 options=$2
	shift 2
	if [ $# -gt 0 ]; then
		env LD_PRELOAD="$HP_PRELOAD" "$@" "$fuzz" $options
	else
		"$fuzz" $options
	fi >"$tmp/$out" 2>&1 || echo "status $?" >>"$tmp/$out"
}

# differs OPTIONS SETTINGS...
differs()
{
	options=$1
	shift
	twin one "$options"
	twin two "$options" "$@"
	! cmp -s "$tmp/one" "$tmp/two"
}

# sure OPTIONS SETTINGS...: does it differ each time, and plain never?
sure()
{
	for try in 1 2 3; do
		differs "$@" || return 1
		cp "$tmp/one" "$tmp/before"
		twin one "$1"
		cmp -s "$tmp/one" "$tmp/before" || return 1
	done
}

# fewest steps that still differ
minimise()
{
	bad=$1
	shift
	skip=
	step=0
	while [ $step -lt 40 ]; do
		if differs "-k $skip$step $bad" "$@"; then
			skip=$skip$step,
		fi
		step=$((step + 1))
	done
	skip=${skip%,}
	differs "-v ${skip:+-k $skip} $bad" "$@"
	echo "$* fuzz_maps -v ${skip:+-k $skip} $bad"
	echo "plain:"
	grep -v '^[0-9]*: $' "$tmp/one" | cut -c1-300
	echo "with libhp, where it differs:"
	diff "$tmp/one" "$tmp/two" | cut -c1-300 | head -n 40
}

# explain MODE SEQUENCES SETTINGS...: the first of $tmp/one that differs
explain()
{
	mode=$1 sequences=$2
	shift 2
	bad=$(diff "$tmp/one" "$tmp/two" | sed -n 's/^[<>] \([^ ]*\) .*/\1/p' |
		head -n 1)
	[ -n "$bad" ] || { diff "$tmp/one" "$tmp/two" | head -n 20; return; }
	case $sequences in
	-f*) bad="-f $bad" ;;
	esac
	echo "$bad $mode $*"
	if [ -z "$mode" ] && sure "$bad" "$@"; then
		minimise "$bad" "$@"
	else
		echo "not alone: fuzz_maps $mode $sequences"
	fi
}

# compare MODE SEQUENCES SETTINGS...
compare()
{
	mode=$1 sequences=$2
	shift 2
	twin one "$mode $sequences"
	twin two "$mode $sequences" "$@"
	sort -n "$tmp/one" >"$tmp/sorted" && mv "$tmp/sorted" "$tmp/one"
	sort -n "$tmp/two" >"$tmp/sorted" && mv "$tmp/sorted" "$tmp/two"
	! grep -q '^status' "$tmp/one" ||
		fail "plain run ended early: $(tail -n 1 "$tmp/one")" \
			"$(grep status "$tmp/one")"
	cmp -s "$tmp/one" "$tmp/two" && return
	explain "$mode" "$sequences" "$@"
	failed=1
}

failed=0
for sequences in "-f $corpus/*" "$seed $count"; do
	compare "" "$sequences" LIBHP_START=0
	compare "" "$sequences" LIBHP_START=1M
	compare "" "$sequences" LIBHP_START=0 LIBHP_MMAP=align
	compare "" "$sequences" LIBHP_MODE=off
	compare -s "$sequences" LIBHP_START=0
done
compare "-t 4" "$seed $count" LIBHP_START=256K
[ $failed = 0 ] || fail "libhp answers otherwise than the kernel"
set -- "$corpus"/*
[ -s "$1" ] || fail "no corpus in $corpus"
echo "$# kept sequences, 5 ways, and $count from seed $seed on, 6 ways"
