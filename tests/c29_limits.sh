# SPDX-License-Identifier: MIT
# The appetite for address space adapts to RLIMIT_AS, and mlockall under a
# small RLIMIT_MEMLOCK still leaves room for a heap and a thread.
# From: hardened_malloc #235, #128, bun PR #41900, golang #38010.
. "$top_srcdir/tests/case.sh"

need_program prlimit setpriv
want_pool 16

many_blocks()
{
	ended "$1" 0
	at_least "$1: MiB until NULL" 150 "$(figure blocks)"
}

for limit in 20000000 50000000 100000000 200000000; do
	same prlimit --as=$limit /bin/echo Hello
done
each_backend many_blocks prlimit --as=200000000 "$here/case_until_null"

# mappings of any size fill what there is, and hold no more than was touched
many_maps()
{
	ended "$1" 0
	at_least "$1: KiB until ENOMEM" 165000 "$(figure maps)"
	at_most "$1: KiB present" $(($(figure maps) * 11 / 10)) \
		"$(figure present_kb)"
}

backends="thp:0"
for kib in 68 300 516 1028 1500; do
	each_backend many_maps prlimit --as=200000000 \
		"$here/case_until_null" maps $kib
done

# locked PROGRAM...: as an ordinary user, 8 MiB may be locked
locked()
{
	if is_root; then
		setpriv --reuid=65534 --regid=65534 --clear-groups \
			prlimit --memlock=8388608:8388608 "$@"
	else
		prlimit --memlock=8388608:8388608 "$@"
	fi
}

# what lies in a slot from before is not locked by MCL_FUTURE
backends="thp:4M thp:0"
same "$here/case_mlockall" future

if locked "$here/case_mlockall" >/dev/null 2>&1; then
	for start in 4M 0; do
		rc=0
		locked env LD_PRELOAD="$HP_PRELOAD" LIBHP_START=$start \
			"$here/case_mlockall" \
			>"$tmp/hp.out" 2>"$tmp/hp.err" || rc=$?
		ended "mlockall within 8 MiB, LIBHP_START=$start" 0
	done
else
	note "mlockall not tried: it fails here without libhp"
fi
