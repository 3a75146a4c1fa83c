# SPDX-License-Identifier: MIT
# Stacks are sparse by nature: 200 threads must not become 400 MiB, and
# MAP_GROWSDOWN must reach the kernel as it is.
# From: openjdk PR #14105, oxcaml PR #3153, tcmalloc #85, memmap2-rs #119.
. "$top_srcdir/tests/case.sh"

stacks()
{
	plain "$here/case_stacks"
	base=$(figure stacks_kb "$tmp/plain.err")
	each_backend few_kb "$here/case_stacks"
}

few_kb()
{
	as_plain "$1"
	at_most "$1: kB for 200 stacks" $((2 * base)) "$(figure stacks_kb)"
}

want_pool 16
stacks
if is_root; then
	need_thp always
	stacks
	need_thp madvise
	stacks
else
	note "THP always and madvise not tried: not root"
fi
