# SPDX-License-Identifier: MIT
# git.sh - git's own tests of objects, the index, packs and transport, with the
# installed git: PATH is the source tree of the same version, after
# "make GIT-BUILD-OPTIONS t/helper/test-tool && make -C templates"

scripts="t0000 t0001 t0027 t0040 t1006 t1050 t1091 t1300 t1400 t3200 t4013 t5300
	t5302 t5310 t5400 t5500 t5510 t5601 t7700"

suite_tests()
{
	[ -x "$path/t/helper/test-tool" ] ||
		skip "needs the path of a git tree with t/helper/test-tool"
	git=$(command -v git) || skip "needs git"
	for script in $scripts; do
		for file in "$path/t/$script"-*.sh; do
			[ ! -f "$file" ] || echo "$script" "cd $path/t &&" \
				"GIT_TEST_INSTALLED=${git%/*} sh $file" \
				'--root="$TMPDIR"'
		done
	done
}
