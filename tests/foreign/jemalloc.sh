# SPDX-License-Identifier: MIT
# jemalloc.sh - jemalloc's integration and stress tests: PATH is its tree, after
# "make tests_integration tests_stress" for a library without a prefix

suite_tests()
{
	[ -d "$path/test/integration" ] ||
		skip "needs the path of a built jemalloc tree"
	libs=LD_LIBRARY_PATH=$path/lib
	for program in $(cd "$path/test" && find integration stress -type f \
		-perm -u+x ! -name '*.sh'); do
		echo "$program $libs $path/test/$program"
	done
}
