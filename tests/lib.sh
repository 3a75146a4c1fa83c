# SPDX-License-Identifier: MIT
# lib.sh - what shell tests share: . "$top_srcdir/tests/lib.sh" first
#
# Gives $tmp, an empty directory that goes when the test ends, and puts every
# setting the need_ functions change back, however the test ends.

set -u
LC_ALL=C
export LC_ALL

thp=/sys/kernel/mm/transparent_hugepage
hugepages=/sys/kernel/mm/hugepages

tmp=$(mktemp -d "${TMPDIR:-/tmp}/libhp-test.XXXXXX") || exit 99
undo="rm -rf '$tmp'"
trap 'status=$?; eval "$undo"; exit $status' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT HUP

# at_exit COMMAND: run when the test ends, before what was registered earlier
at_exit()
{
	undo="$1; $undo"
}

skip()
{
	echo "SKIP: $*"
	exit 77
}

fail()
{
	echo "FAIL: $*"
	exit 1
}

# expect WHAT WANTED GOT
expect()
{
	[ "$2" = "$3" ] || fail "$1: want '$2', got '$3'"
}

need_root()
{
	[ "$(id -u)" = 0 ] || skip "needs root"
}

need_program()
{
	for program; do
		command -v "$program" >/dev/null ||
			skip "needs the program $program"
	done
}

# set_kernel FILE VALUE: write a setting, and put the old one back at the end
set_kernel()
{
	[ -w "$1" ] || skip "needs to write $1"
	old=$(sed 's/.*\[\(.*\)\].*/\1/' "$1")
	at_exit "echo '$old' >'$1'"
	echo "$2" >"$1" 2>/dev/null || skip "$1 refuses '$2'"
}

# pmd_kib: size of the huge page a page table's middle level maps
pmd_kib()
{
	echo $(($(cat $thp/hpage_pmd_size) / 1024))
}

# need_pool N [KIB]: a hugetlb pool of exactly N pages, all of them free
need_pool()
{
	need_root
	[ -r $thp/hpage_pmd_size ] || [ $# -gt 1 ] ||
		skip "needs transparent huge pages to know the PMD size"
	pool=$hugepages/hugepages-${2:-$(pmd_kib)}kB
	[ -d "$pool" ] || skip "this kernel has no $pool"
	set_kernel "$pool/nr_hugepages" "$1"
	[ "$(cat "$pool/nr_hugepages")" = "$1" ] ||
		skip "needs $1 huge pages; the kernel found" \
			"$(cat "$pool/nr_hugepages")"
	[ "$(cat "$pool/free_hugepages")" = "$1" ] ||
		skip "needs $1 free huge pages; another program uses some"
}

# need_thp always|madvise|never
need_thp()
{
	need_root
	set_kernel $thp/enabled "$1"
}
