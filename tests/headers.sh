# SPDX-License-Identifier: MIT
# every public header compiles alone, in strict C99 and in C++11
. "$top_srcdir/tests/lib.sh"

# compile COMPILER... SOURCE: with each header in turn as the first include
compile()
{
	for header in $HP_HEADERS; do
		"$@" -Wall -Wextra -pedantic -Werror -fsyntax-only \
			-I"$top_srcdir/libhp" -I"$top_srcdir/probe" \
			-DHP_HEADER="<${header##*/}>" ||
			fail "$1 refuses <${header##*/}>"
		echo "$1: ${header##*/}"
	done
}

[ -n "$HP_HEADERS" ] || fail "no public header is listed"
compile ${CC} -std=c99 "$top_srcdir/tests/headers.c"
[ -n "$CXX" ] || skip "C done; there is no C++ compiler"
compile ${CXX} -std=c++11 "$top_srcdir/tests/headers_cxx.cc"
