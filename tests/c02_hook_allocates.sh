# SPDX-License-Identifier: MIT
# Another preloaded library allocates inside the libc calls an allocator's
# start-up makes: neither order may deadlock or recurse.
# From: fakechroot #21, jemalloc #443, mimalloc #713, libfaketime #130.
. "$top_srcdir/tests/case.sh"

hook=$here/case_hook.so

# in_order PRELOAD PROGRAM...: as without preload, and ends at all
in_order()
{
	order=$1
	shift
	plain "$@"
	rc=0
	timeout 20 env LD_PRELOAD="$order" "$@" >"$tmp/hp.out" \
		2>"$tmp/hp.err" || rc=$?
	as_plain "LD_PRELOAD=$order $*"
}

in_order "$HP_PRELOAD:$hook" ls /
in_order "$hook:$HP_PRELOAD" ls /
LIBHP_PAGES=2M LIBHP_REPORT="$tmp/report" in_order "$hook:$HP_PRELOAD" \
	"$here/case_fill" 8
[ -s "$tmp/report" ] || fail "no report beside the hook"

# with_fakeroot PRELOAD: it prints the uid fakeroot pretends
with_fakeroot()
{
	timeout 20 fakeroot -- sh -c "LD_PRELOAD=$1 exec id -u"
}

if have fakeroot && [ "$(fakeroot -- id -u)" = 0 ]; then
	expect "before fakeroot" 0 "$(with_fakeroot "$HP_PRELOAD:\$LD_PRELOAD")"
	expect "after fakeroot" 0 "$(with_fakeroot "\$LD_PRELOAD:$HP_PRELOAD")"
else
	note "fakeroot not tried: it is not installed or does not work"
fi
