# SPDX-License-Identifier: MIT
# Tools beside libhp: other preloads in both orders, tracers, profilers, valgrind
# and gdb give the answer they give without it.
. "$top_srcdir/tests/case.sh"

tried=0
# the work of inject_work is a little of everything: threads, fork, maps
work=$here/inject_work

# beside PRELOAD [VAR=VALUE...] COMMAND...: with the other library before and
# behind ours
beside()
{
	other=$1
	shift
	plain env LD_PRELOAD="$other" "$@"
	[ "$plain_rc" = 0 ] || {
		note "$other does not work here without libhp"
		return
	}
	for order in "$HP_PRELOAD:$other" "$other:$HP_PRELOAD"; do
		for start in 0 4M; do
			hp LD_PRELOAD="$order" LIBHP_START=$start "$@"
			as_plain "LD_PRELOAD=$order, start $start, $*"
			tried=$((tried + 1))
		done
	done
}

# library NAME: where it is, or nothing
library()
{
	for dir in /usr/lib/*/faketime /usr/lib/*/libfakeroot /usr/lib/* \
		/usr/libexec/coreutils /usr/lib /usr/lib64; do
		[ ! -e "$dir/$1" ] || echo "$dir/$1"
	done | head -n 1
}

# with_library NAME [VAR=VALUE...] COMMAND...
with_library()
{
	found=$(library "$1")
	[ -n "$found" ] || {
		note "$1 not tried: it is not installed"
		return
	}
	shift
	beside "$found" "$@"
}

with_library libeatmydata.so "$work"
with_library libeatmydata.so sort -n /etc/services
with_library libfaketime.so.1 FAKETIME='@2020-01-02 03:04:05' \
	FAKETIME_DONT_FAKE_MONOTONIC=1 date +%Y
with_library libfaketimeMT.so.1 FAKETIME='@2020-01-02 03:04:05' "$work"
with_library libstdbuf.so _STDBUF_O=0 ls /
with_library libstdbuf.so _STDBUF_O=L "$work"

# fakeroot and stdbuf are launchers: inside and around
# around WHAT COMMAND...: the launcher runs under libhp, and what it runs
around()
{
	plain "$@"
	if [ "$plain_rc" != 0 ]; then
		note "$1 does not work here"
		return
	fi
	hp LIBHP_START=0 "$@"
	as_plain "$* under libhp"
	tried=$((tried + 1))
}

have fakeroot && around fakeroot -- sh -c 'id -u; touch x; chown 7:7 x
	stat -c %u x; rm x'
have stdbuf && around stdbuf -oL sort /etc/services
have faketime && around faketime '2020-01-02 03:04:05' date +%Y

# tracers and profilers, around the program only
# observed COMMAND... -- the tool must end well, the program print the same
observed()
{
	rc=0
	timeout 300 "$@" env LD_PRELOAD="$HP_PRELOAD" LIBHP_START=0 "$work" \
		>"$tmp/hp.out" 2>"$tmp/hp.err" </dev/null || rc=$?
	as_plain "under $1"
	tried=$((tried + 1))
}

plain "$work"
if have strace && strace -o "$tmp/trace" true 2>/dev/null; then
	observed strace -f -o "$tmp/trace"
	observed strace -f -c -o "$tmp/trace"
else
	note "strace not tried: not here, or it may not trace"
fi
have ltrace && observed ltrace -f -c -o "$tmp/trace"
if have perf && perf stat -o "$tmp/perf" true 2>/dev/null; then
	observed perf stat -o "$tmp/perf"
	observed perf record -q -o "$tmp/perf.data" -F 99
else
	note "perf not tried: not here, or it may not count"
fi
if have valgrind; then
	hp valgrind -q --error-exitcode=9 "$work"
	as_plain "valgrind under libhp"
	tried=$((tried + 1))
else
	note "valgrind not tried: it is not installed"
fi

# gdb stops in it, steps in it, and calls a function of it
if have gdb && gdb -batch -nx -ex run /bin/true >/dev/null 2>&1; then
	rc=0
	timeout 120 gdb -batch -nx -ex "set env LD_PRELOAD=$HP_PRELOAD" \
		-ex 'set env LIBHP_START=0' -ex 'set follow-fork-mode parent' \
		-ex 'break mremap' -ex run -ex bt -ex 'stepi 20' \
		-ex 'call (void *)malloc(100000)' -ex delete -ex continue \
		-ex 'p $_exitcode' "$work" >"$tmp/gdb" 2>&1 </dev/null || rc=$?
	expect "gdb's status" 0 "$rc"
	grep -q 'all 3000 blocks well' "$tmp/gdb" && grep -q '= 0$' "$tmp/gdb" ||
		fail "the program did not end well in gdb: $(tail "$tmp/gdb")"
	tried=$((tried + 1))
else
	note "gdb not tried: not here, or it may not trace"
fi
echo "$tried runs beside another tool, all as without libhp"
[ "$tried" -gt 0 ] || skip "none of the tools is here"
