# SPDX-License-Identifier: MIT
# After fork the pool cannot pay for every copy: no side dies of SIGBUS, and
# none sees the other's bytes.
# From: gperftools #1538, #1139, #1112, kernel 910154d520c9 and 4a6018f7f4f1.
. "$top_srcdir/tests/case.sh"

need_root
want_pool 4

# own_bytes FORK-MODE PROGRAM...: ends well with hugetlb memory at risk
own_bytes()
{
	plain "$2" "$3"
	hp LIBHP_PAGES=2M,thp LIBHP_START=0 LIBHP_FORK="$1" "$2" "$3"
	as_plain "LIBHP_FORK=$1 ${2##*/} $3"
	at_least "LIBHP_FORK=$1 ${2##*/} $3: hugetlb kB before fork" \
		"$(pmd_kib)" "$(figure hugetlb_kb)"
	pool_is_whole "LIBHP_FORK=$1 ${2##*/} $3"
}

for mode in auto demote; do
	own_bytes $mode "$here/case_fork_cow" parent
	own_bytes $mode "$here/case_fork_cow" child
done
same "$here/case_fork_tree"
same LIBHP_FORK=demote "$here/case_fork_tree"

# a pool that can pay: sharing is allowed, and nothing else changes
want_pool 64
for mode in auto share demote; do
	own_bytes $mode "$here/case_fork_cow" parent
	own_bytes $mode "$here/case_fork_cow" child
done

# what libc's child looks at before it runs any handler is there
for mode in auto share demote; do
	own_bytes $mode "$here/case_fork_early" ""
done
