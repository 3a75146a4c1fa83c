/* SPDX-License-Identifier: MIT */
#include "libhp/backing.h"
#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/machine.h"
#include "libhp/span.h"

#define TRIES 3 /* pages isolated by someone else come back soon */

static bool try_again(int err)
{
	return err == -EAGAIN || err == -EBUSY;
}

/* fails on a slot without a present page, among others: nothing to promote */
static bool promote(char *slot, size_t size)
{
	int ret;

	/* a kernel without THP refuses, and so it will the collapse */
	(void)hp_linux_advise(slot, size, MADV_HUGEPAGE);
	for (int i = 0; i < TRIES; i++) {
		ret = hp_linux_collapse(slot, size);
		if (!try_again(ret))
			break;
	}
	return ret == 0;
}

HP_EXPORT long hp_promote(void *addr, size_t len)
{
	size_t size = hp_slot_size();
	struct hp_span inner;
	long promoted = 0, huge;

	if (hp_span_inside((uintptr_t)addr, len, size, &inner) || inner.n == 0)
		return -EINVAL;
	/* on no bytes the call only tells whether it exists */
	if (hp_linux_collapse((void *)inner.start, 0))
		return -EINVAL;
	for (size_t i = 0; i < inner.n; i++)
		promoted += promote((char *)inner.start + i * size, size);
	/* success may be stale already, and some were huge before */
	huge = hp_span_huge(&inner);
	return huge < 0 ? promoted : huge;
}
