# SPDX-License-Identifier: MIT
#
# case.sh - what the c*.sh drivers share, above lib.sh
#
#	same [VAR=VALUE...] PROGRAM [ARG...]
#
# is the core of most cases: the program must print the same and end with the
# same status under the preload as without it, whatever the backend.

. "$top_srcdir/tests/lib.sh"

here=$top_builddir/tests

# note WHAT: a part of the case this machine cannot run
note()
{
	echo "NOTE: $*"
}

is_root()
{
	[ "$(id -u)" = 0 ]
}

have()
{
	command -v "$1" >/dev/null 2>&1
}

# plain PROGRAM...: without libhp; into plain.out, plain.err, $plain_rc
plain()
{
	plain_rc=0
	timeout 120 "$@" >"$tmp/plain.out" 2>"$tmp/plain.err" </dev/null ||
		plain_rc=$?
}

# hp [VAR=VALUE...] PROGRAM...: under the preload; into hp.out, hp.err, $rc
hp()
{
	rc=0
	timeout 120 env LD_PRELOAD="$HP_PRELOAD" "$@" \
		>"$tmp/hp.out" 2>"$tmp/hp.err" </dev/null || rc=$?
}

# as_plain WHAT: the last hp run against the last plain one
as_plain()
{
	ended "$1" "$plain_rc"
	cmp "$tmp/plain.out" "$tmp/hp.out" ||
		fail "$1: stdout is not as without libhp"
}

# want_pool N: a hugetlb pool of N pages for the 2M runs, if we may have one
want_pool()
{
	if is_root && [ -w /proc/sys/vm/nr_hugepages ]; then
		need_pool "$1"
		pool_pages=$1
	else
		note "no hugetlb pool for the 2M runs: not root"
	fi
}

# want_thp MODE: set as root, else only if it is so already
want_thp()
{
	if is_root; then
		need_thp "$1"
	else
		grep -q "\[$1\]" $thp/enabled || skip "needs THP $1"
	fi
}

# pool_is_whole WHAT: the run took nothing from the pool beyond its life
pool_is_whole()
{
	[ -n "${pool_pages:-}" ] || return 0
	expect "$1: free pool pages afterwards" "$pool_pages" \
		"$(cat "$pool/free_hugepages")"
	expect "$1: reserved pool pages afterwards" 0 \
		"$(cat "$pool/resv_hugepages")"
}

# every way a program is run: small ones never reach the default start
backends="thp:4M thp:0 2M:0"

# each_backend FUNCTION [VAR=VALUE...] PROGRAM...
each_backend()
{
	judge=$1
	shift
	for backend in $backends; do
		setting="LIBHP_PAGES=${backend%:*} LIBHP_START=${backend#*:}"
		hp $setting "$@"
		$judge "$setting $*"
		pool_is_whole "$setting $*"
	done
}

# same [VAR=VALUE...] PROGRAM...: plain against every backend
same()
{
	plain env "$@"
	each_backend as_plain "$@"
}

# ended WHAT STATUS: how the last hp run ended
ended()
{
	[ "$rc" = "$2" ] && return
	tail -n 3 "$tmp/hp.err"
	fail "$1: status $rc, not $2"
}

# figure NAME [FILE]: the value a case program printed to stderr
figure()
{
	sed -n "s/^$1 //p" "${2:-$tmp/hp.err}"
}

# at_most WHAT LIMIT VALUE; at_least likewise; whole numbers
at_most()
{
	[ -n "$3" ] && [ "$3" -le "$2" ] || fail "$1: $3, more than $2"
}

at_least()
{
	[ -n "$3" ] && [ "$3" -ge "$2" ] || fail "$1: $3, less than $2"
}

# value FILE PATH: one field of a JSON report, e.g. managed.coverage; "None"
# when it is null, nothing when it is missing
value()
{
	python3 - "$1" "$2" <<'PY'
import json, sys
node = json.load(open(sys.argv[1]))
try:
    for key in sys.argv[2].split("."):
        node = node[key]
    print(node)
except KeyError:
    pass
PY
}
