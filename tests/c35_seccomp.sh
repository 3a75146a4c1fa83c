# SPDX-License-Identifier: MIT
# A filter installed after start knows the calls of glibc's malloc and no
# other; whatever libhp reads, it reads at start. A filter that looks at the
# address a call comes from finds libc's.
# From: mimalloc #249, musl #100, file PR #179, gperftools #1275.
. "$top_srcdir/tests/case.sh"

"$here/case_seccomp" >/dev/null 2>&1 ||
	skip "this libc itself needs more calls than the filter allows"
want_pool 16
same "$here/case_seccomp"
same "$here/case_seccomp" syscall
same LIBHP_MODE=off "$here/case_seccomp"
same LIBHP_REPORT=stderr "$here/case_seccomp" least

# what children of a sandboxed process leave is not its report
for where in "" outside; do
	hp LIBHP_REPORT=json:stderr "$here/case_sealed_children" $where
	ended "children of a sandbox $where" 7
	expect "first word of a sandbox with children $where" gone \
		"$(sed -n 1p "$tmp/hp.err")"
	expect "reports of a sandbox with children $where" 1 \
		"$(grep -c libhp.report/1 "$tmp/hp.err")"
done

rc=0
"$here/case_dispatch" >/dev/null 2>&1 || rc=$?
if [ "$rc" = 3 ]; then
	same "$here/case_dispatch"
	same "$here/case_dispatch" _exit
else
	note "dispatch not tried: this kernel has none"
fi

if have man && MANPAGER=cat man ls >/dev/null 2>&1; then
	same MANPAGER=cat man ls
else
	note "man not tried: no page for ls"
fi
