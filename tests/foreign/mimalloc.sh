# SPDX-License-Identifier: MIT
# mimalloc.sh - mimalloc's stress test over the malloc family: PATH holds it as
# mimalloc-test-stress, built from test/test-stress.c with USE_STD_MALLOC

suite_tests()
{
	[ -x "$path/mimalloc-test-stress" ] ||
		skip "needs the path of mimalloc-test-stress"
	for threads in 1 8 32; do
		echo "stress-$threads $path/mimalloc-test-stress $threads 50 20"
	done
}
