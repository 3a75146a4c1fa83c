/* SPDX-License-Identifier: MIT */
#include "libhp/part.h"

bool hp_part_next(const struct hp_slots *s, uintptr_t *start, uintptr_t end,
		  struct hp_part *out)
{
	uintptr_t stop;

	*start = hp_max(*start, s->base);
	end = hp_min(end, s->base + s->bytes);
	if (*start >= end)
		return false;
	out->slot = hp_slots_index(s, *start);
	stop = hp_min(end, hp_slots_addr(s, out->slot + 1));
	out->first = (unsigned int)((*start & (s->slot - 1)) >> s->page_shift);
	out->len = (unsigned int)((stop - *start) >> s->page_shift);
	*start = stop;
	return true;
}

struct hp_part hp_part_whole(const struct hp_slots *s, unsigned int i)
{
	return (struct hp_part){i, 0, s->pages};
}

uintptr_t hp_part_addr(const struct hp_slots *s, const struct hp_part *p)
{
	return hp_slots_addr(s, p->slot) +
	       ((uintptr_t)p->first << s->page_shift);
}
