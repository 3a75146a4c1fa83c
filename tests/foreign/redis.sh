# SPDX-License-Identifier: MIT
# redis.sh - PATH is a redis tree built with MALLOC=libc, whose own tests are run
# (they need tclsh); without it sessions with the installed server

suite_tests()
{
	if [ -z "$path" ]; then
		for program in redis-server redis-cli redis-benchmark; do
			command -v $program >/dev/null || skip "needs $program"
		done
		for session in benchmark bgsave flushall aof; do
			echo "$session $here/servers redis_$session"
		done
		return
	fi
	[ -x "$path/runtest" ] || skip "needs the path of a built redis tree"
	for unit in $(cd "$path/tests" && ls unit/*.tcl unit/type/*.tcl \
		integration/rdb.tcl integration/aof.tcl); do
		unit=${unit%.tcl}
		echo "$unit cd $path && ./runtest --clients 1 --single $unit"
	done
}
