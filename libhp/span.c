/* SPDX-License-Identifier: MIT */
#include "libhp/span.h"

#include <errno.h>

#include "libhp/hp.h"

int hp_span_inside(uintptr_t addr, size_t len, size_t size, struct hp_span *out)
{
	uintptr_t end, start = hp_align_up(addr, size);

	if (__builtin_add_overflow(addr, len, &end))
		return -EINVAL;
	out->start = start;
	out->size = size;
	/* start < addr: no aligned address above */
	out->n = start >= addr && start < end ? (end - start) / size : 0;
	return 0;
}

long hp_span_huge(const struct hp_span *span)
{
	struct hp_backing b;
	int ret = hp_backing_query((const void *)span->start,
				   span->n * span->size, &b);

	if (ret < 0)
		return ret;
	return b.unknown ? -ENODATA : (long)(b.huge / span->size);
}
