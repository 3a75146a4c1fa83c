# SPDX-License-Identifier: MIT
# cpython.sh - CPython's own tests: PATH is an interpreter that has them, by
# default Debian's with its package libpython3-testsuite

python=${path:-/usr/bin/python3}
"$python" -c 'import test.test_mmap' 2>/dev/null ||
	skip "$python has no tests; install libpython3-testsuite"

modules="test_mmap test_ctypes test_gc test_threading test_io test_fork1
	test_subprocess test_posix test_mailbox test_array test_bytes
	test_bytearray test_memoryview test_buffer test_bufio test_zlib
	test_bz2 test_lzma test_sqlite3 test_tracemalloc test_faulthandler
	test_resource test_signal test_pickle test_json test_dict test_list
	test_set test_re test_shelve test_weakref test_thread test_queue
	test_concurrent_futures test_multiprocessing_fork
	test_multiprocessing_forkserver test_multiprocessing_spawn
	test_multiprocessing_main_handling"

suite_tests()
{
	for module in $modules; do
		"$python" -c "import importlib.util as u, sys
sys.exit(not u.find_spec('test.$module'))" || continue
		echo "$module $python -m test -q --timeout=240 $module"
	done
}
