# SPDX-License-Identifier: MIT
# jemalloc.sh - jemalloc's integration and stress tests: PATH is its tree, after
# "./autogen.sh && make build_lib_shared tests_integration tests_stress" for a
# library without a prefix. NAME.sh beside a test sets the options it needs.

suite_tests()
{
	[ -d "$path/test/integration" ] ||
		skip "needs the path of a built jemalloc tree"
	libs=LD_LIBRARY_PATH=$path/lib
	for program in $(cd "$path/test" && find integration stress -type f \
		-perm -u+x ! -name '*.sh'); do
		options=$path/test/$program.sh
		[ -f "$options" ] && set -- ". $options;" || set --
		echo "$program $* $libs $path/test/$program"
	done
}
