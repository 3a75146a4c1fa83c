# SPDX-License-Identifier: MIT
# perl.sh - perl's own tests of its operators and regular expressions, with the
# installed perl: PATH is the source tree of the same version, never built, with
# the installed modules in lib ("cp -rsn /usr/lib/.../perl/VERSION/. lib", after
# the source's lib is moved away) and links "perl" and "t/perl" to /usr/bin/perl

suite_tests()
{
	[ -x "$path/t/perl" ] || skip "needs the path of perl's source tree"
	command -v prove >/dev/null || skip "needs prove"
	for script in $(cd "$path/t" && ls op/*.t re/*.t); do
		echo "${script%.t}" "cd $path/t &&" \
			"result=\$(prove -e './perl -I../lib' $script 2>&1);" \
			'status=$?; echo "$result"; case $result in' \
			'*NOTESTS*) exit 77 ;; esac; exit $status'
	done
}
