# SPDX-License-Identifier: MIT
# C++'s family: aligned, sized and nothrow operators, bad_alloc, the new
# handler; also in a program that links jemalloc, whose operators come first.
# From: jemalloc PR #1660, gperftools PR #928, rpmalloc PR #374.
. "$top_srcdir/tests/case.sh"

[ -n "$CXX" ] || skip "no C++ compiler"
# build NAME FLAGS...
build()
{
	name=$1
	shift
	"$CXX" -std=c++17 -O1 -pthread -o "$tmp/$name" \
		"$top_srcdir/tests/case_new.cc" "$@" 2>"$tmp/cxx.err"
}

build new || skip "the C++ compiler has no aligned new (C++17)"
want_pool 16
same "$tmp/new"
if build linked -Wl,--no-as-needed -ljemalloc; then
	same "$tmp/linked"
else
	note "linked jemalloc not tried: no -ljemalloc"
fi
