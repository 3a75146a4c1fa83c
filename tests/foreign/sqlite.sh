# SPDX-License-Identifier: MIT
# sqlite.sh - speedtest1, built from the sources at PATH, and the installed
# shell; the results are hashes, which must be the same

same_output=yes

suite_tests()
{
	command -v sqlite3 >/dev/null && for script in "$here"/*.sql; do
		echo "$(basename "$script" .sql) sqlite3 :memory: <$script"
	done
	[ -x "$path/speedtest1" ] || return 0
	for set in main cte fp orm rtree; do
		echo "speedtest1-$set $path/speedtest1 --verify --size 10" \
			"--testset $set | grep -i 'verification hash'"
	done
}
