# SPDX-License-Identifier: MIT
# Fork in a threaded program: no lock of the heap or the mapping calls is left
# taken in the child, and none is taken from the child's own threads.
# From: gperftools #499, #178, jemalloc #2019, #2402, #1805.
. "$top_srcdir/tests/case.sh"

want_pool 16
backends=thp:0
plain echo 2000 children ended well
each_backend as_plain timeout 60 "$here/case_fork_storm"
# each of these children gets copies of all pool pages
backends=2M:0
plain echo 500 children ended well
each_backend as_plain timeout 60 "$here/case_fork_storm" 500
backends="thp:0 2M:0"

plain echo ok
each_backend as_plain timeout 60 "$here/case_fork_threads"
each_backend as_plain timeout 60 "$here/case_fork_streams"

# fork handlers of libraries that need the heap: loaded with the program, whose
# constructors come first of all, and opened and closed later
plain env LD_PRELOAD="$here/case_atfork.so" "$here/case_fork_often"
each_backend as_plain LD_PRELOAD="$HP_PRELOAD:$here/case_atfork.so" \
	"$here/case_fork_often"
plain "$here/case_fork_often" "$here/case_atfork.so"
each_backend as_plain "$here/case_fork_often" "$here/case_atfork.so"

# children that run no fork handlers wait for no lock of threads they lack
lives()
{
	as_plain "$1"
	at_most "waits of a child that maps, $1" 3 "$(figure maps)"
}
backends=thp:0
for how in "" number; do
	plain "$here/case_raw_fork" $how
	if [ "$plain_rc" = 0 ]; then
		each_backend lives "$here/case_raw_fork" $how
	else
		note "children not tried, $how: this libc has none like that"
	fi
done
