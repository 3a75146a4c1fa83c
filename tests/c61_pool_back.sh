# SPDX-License-Identifier: MIT
# A heap on hugetlb pages that becomes sparse gives most of them back, as one on
# THP gives back its free pages, and keeps every byte.
# From: redis with LIBHP_PAGES=2M, whose FLUSHALL freed nothing of the pool.
. "$top_srcdir/tests/case.sh"

need_root
want_pool 64
plain "$here/case_pool_back"
hp LIBHP_PAGES=2M,thp LIBHP_START=0 "$here/case_pool_back"
as_plain "case_pool_back"
pool_is_whole "case_pool_back"
full=$(figure free_full)
at_most "pool pages free with all in use" 24 "$full"
at_least "pool pages free with a tenth in use" $((full + 25)) \
	"$(figure free_sparse)"
