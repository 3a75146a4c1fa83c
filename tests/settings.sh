# SPDX-License-Identifier: MIT
# the harness itself: a setting changed by need_pool or need_thp is put back,
# also when the test that changed it is killed
. "$top_srcdir/tests/lib.sh"

need_root
[ -w $thp/enabled ] || skip "needs to write $thp/enabled"

mode()
{
	sed 's/.*\[\(.*\)\].*/\1/' $thp/enabled
}

pages()
{
	cat /proc/sys/vm/nr_hugepages
}

start_mode=$(mode)
start_pages=$(pages)

# child SCRIPT: a test of its own, in this shell's environment
child()
{
	sh -c '. "$top_srcdir/tests/lib.sh"; '"$1"
}

child 'need_thp never; grep -q "\[never\]" $thp/enabled' ||
	fail "need_thp never did not set it"
expect "mode after success" "$start_mode" "$(mode)"

child 'need_thp never; fail on purpose' && fail "fail returned success"
expect "mode after failure" "$start_mode" "$(mode)"

child 'need_thp never; kill -TERM $$; sleep 60' && fail "TERM returned success"
expect "mode after TERM" "$start_mode" "$(mode)"

child 'need_pool 4; need_pool 6'
status=$?
[ $status = 0 ] || [ $status = 77 ] || fail "need_pool ended with $status"
expect "pool after two changes" "$start_pages" "$(pages)"
