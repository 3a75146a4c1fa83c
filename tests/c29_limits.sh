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

# too little for jemalloc to start in: libc's heap serves the program
for kib in $(seq 6000 500 24000); do
	plain prlimit --as=$((kib * 1024)) /bin/true
	hp LIBHP_MODE=try prlimit --as=$((kib * 1024)) /bin/true
	# the loader itself may not find room for the preload
	[ "$rc" = 127 ] && grep -q 'failed to map segment' "$tmp/hp.err" ||
		as_plain "/bin/true within $kib KiB"
done
for limit in 12000000 16000000; do
	same prlimit --as=$limit sort "$top_srcdir/Makefile.am"
done
same prlimit --as=20000000 "$here/case_family"
hp LIBHP_MODE=on prlimit --as=20000000 /bin/true
expect "lines that refuse mode on without room" 1 \
	"$(grep -c 'LIBHP_MODE=on' "$tmp/hp.err")"
same prlimit --data=16000000 "$here/case_family"
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
