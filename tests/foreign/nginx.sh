# SPDX-License-Identifier: MIT
# nginx.sh - pages from the installed server; takes no PATH

suite_tests()
{
	for program in nginx curl; do
		command -v $program >/dev/null || skip "needs $program"
	done
	echo "serve $here/servers nginx_serve"
}
