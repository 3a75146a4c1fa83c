/* SPDX-License-Identifier: MIT */
/*
 * ranges.c - what the slot table tells the report
 */
#include "libhp/filler.h"
#include "libhp/shelf.h"

/* one slot as the report sees it */
static bool describe(const struct hp_filler *f, unsigned int i,
		     struct hp_range *out)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);

	if (slot->state == HP_SLOT_ALIEN ||
	    (slot->used == 0 && hp_shelf_resident(f, slot) == 0))
		return false;
	out->start = hp_slots_addr(&f->slots, i);
	out->end = out->start + f->slots.slot;
	out->hugetlb = slot->state == HP_SLOT_HUGETLB;
	out->reason = (enum hp_reason)slot->reason;
	if (slot->state == HP_SLOT_SMALL && out->reason != HP_REASON_MEMCG)
		out->reason =
			f->start ? HP_REASON_BELOW_START : HP_REASON_MODE_OFF;
	return true;
}

static bool joins(const struct hp_range *a, const struct hp_range *b)
{
	return a->end == b->start && a->reason == b->reason &&
	       a->hugetlb == b->hugetlb;
}

/* the lock is not held while @fn asks the kernel */
void hp_filler_ranges(struct hp_filler *f, hp_range_fn fn, void *arg)
{
	struct hp_range range = {0};

	for (unsigned int i = 0; i < f->slots.n; i++) {
		struct hp_range next;
		bool there;

		/* a handler that interrupted the holder does without */
		if (!hp_lock_take(&f->lock))
			return;
		there = describe(f, i, &next);
		hp_filler_unlock(f);
		if (there && range.end && joins(&range, &next)) {
			range.end = next.end;
			continue;
		}
		if (range.end)
			fn(&range, arg);
		range = there ? next : (struct hp_range){0};
	}
	if (range.end)
		fn(&range, arg);
}
