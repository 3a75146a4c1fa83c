# SPDX-License-Identifier: MIT
# a folio larger than a page but mapped by PTEs is present and not huge
. "$top_srcdir/tests/lib.sh"

need_root
size=$thp/hugepages-64kB
[ -d $size ] || skip "this kernel has no 64 KiB folios for anonymous memory"
need_thp madvise
set_kernel $size/enabled always

folios()
{
	cat $size/stats/anon_fault_alloc
}

before=$(folios)
got=$("$top_builddir/tests/mthp") || fail "mthp ended with $?"
[ "$(folios)" -gt "$before" ] || skip "the kernel gave no 64 KiB folio"
expect "bytes present and huge" "$((2 * 1024 * $(pmd_kib))) 0" "$got"
