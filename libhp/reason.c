/* SPDX-License-Identifier: MIT */
#include "libhp/hp.h"

#include "libhp/common.h"

static const char *const texts[] = {
	[HP_REASON_NONE] = NULL,
	[HP_REASON_BELOW_START] = "below-start",
	[HP_REASON_NOT_TOUCHED] = "not-touched",
	[HP_REASON_MODE_OFF] = "mode-off",
	[HP_REASON_SYSFS_NEVER] = "sysfs-never",
	[HP_REASON_SIZE_DISABLED] = "size-disabled",
	[HP_REASON_PRCTL] = "prctl",
	[HP_REASON_UNALIGNED] = "unaligned",
	[HP_REASON_POOL_EMPTY] = "pool-empty",
	[HP_REASON_HUGETLB_LIMIT] = "hugetlb-limit",
	[HP_REASON_MEMCG] = "memcg",
	[HP_REASON_NODE_BOUND] = "node-bound",
	[HP_REASON_NO_CONTIGUOUS] = "no-contiguous-memory",
	[HP_REASON_SPLIT] = "split-by-program",
	[HP_REASON_RELEASED] = "released",
	[HP_REASON_AFTER_FORK] = "after-fork",
	[HP_REASON_PROGRAM_ADVICE] = "program-advice",
	[HP_REASON_UNKNOWN] = "unknown",
};

_Static_assert(HP_ARRAY_SIZE(texts) == HP_REASON_COUNT, "a code per reason");

HP_EXPORT const char *hp_reason_text(enum hp_reason reason)
{
	return (size_t)reason < HP_REASON_COUNT ? texts[reason] : NULL;
}
