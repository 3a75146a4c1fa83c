# SPDX-License-Identifier: MIT
# postgres.sh - initdb and pgbench with the installed server; takes no PATH

suite_tests()
{
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
		skip "needs the server of PostgreSQL"
	for session in pgbench huge; do
		echo "$session $here/servers postgres_$session"
	done
}
