# SPDX-License-Identifier: MIT
# C++'s family: aligned, sized and nothrow operators, bad_alloc, the new
# handler; in a program that links another allocator, whose operators come
# first; beside operators a program, a library or a plugin has of its own.
# From: jemalloc PR #1660, gperftools PR #928, rpmalloc PR #374.
. "$top_srcdir/tests/case.sh"

[ -n "$CXX" ] || skip "no C++ compiler"
# build NAME FLAGS...
build()
{
	name=$1
	shift
	"$CXX" -std=c++17 -O1 -pthread -fPIC -o "$tmp/$name" "$@" \
		2>"$tmp/cxx.err"
}

source=$top_srcdir/tests/case_new.cc
build new "$source" || skip "the C++ compiler has no aligned new (C++17)"
want_pool 16
same "$tmp/new"
if build static "$source" -static-libstdc++; then
	same "$tmp/static"
else
	note "a libstdc++ of its own not tried: no libstdc++.a"
fi

# its constructor takes memory before libhp's constructor
echo '#include <string>
std::string *early = new std::string(1000, 0);' >"$tmp/early.cc"
build libearly.so -shared "$tmp/early.cc" || fail "$(cat "$tmp/cxx.err")"
# linked NAME: with its operators bound at once and late
linked()
{
	for bind in now lazy; do
		build linked "$source" "$tmp/libearly.so" -Wl,-z,$bind \
			-Wl,--no-as-needed "-l$1" || {
			note "linked $1 not tried: no -l$1"
			return
		}
		plain "$tmp/linked" linked
		[ "$plain_rc" = 0 ] || {
			note "linked $1 not tried: it fails without libhp"
			return
		}
		same "$tmp/linked" linked
	done
}

for allocator in jemalloc tcmalloc mimalloc tbbmalloc_proxy; do
	linked $allocator
done

# some operators replaced, by a library and by a plugin of a C program
build libcounting.so -shared "$top_srcdir/tests/case_counting.cc" &&
	build counted "$top_srcdir/tests/case_counted.cc" \
		"$tmp/libcounting.so" || fail "$(cat "$tmp/cxx.err")"
same "$tmp/counted"
same "$here/case_dlopen" "$tmp/libcounting.so"
