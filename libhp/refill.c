/* SPDX-License-Identifier: MIT */
/*
 * refill.c - a broken slot that is full again becomes huge again
 */
#include "libhp/bloat.h"
#include "libhp/linux.h"
#include "libhp/shelf.h"

static void mark_whole(struct hp_filler *f, struct hp_slot *slot)
{
	unsigned int before = hp_shelf_resident(f, slot);

	f->broken -= (slot->flags & HP_SLOT_BROKEN) != 0;
	slot->flags &= (uint8_t)~HP_SLOT_BROKEN;
	slot->reason = HP_REASON_NONE;
	f->resident += hp_shelf_resident(f, slot);
	f->resident -= before;
	hp_stats_count(HP_EVENT_COLLAPSED);
}

static bool begin_refill(struct hp_filler *f, const struct hp_slot *slot)
{
	bool begun;

	hp_filler_lock(f);
	begun = !f->releasing && slot->flags & HP_SLOT_BROKEN;
	f->releasing = f->releasing || begun;
	hp_filler_unlock(f);
	return begun;
}

void hp_bloat_refill(struct hp_filler *f, unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);
	void *addr = (void *)hp_slots_addr(&f->slots, i);
	int ret;

	if (!begin_refill(f, slot))
		return;
	hp_linux_advise(addr, f->slots.slot, MADV_HUGEPAGE);
	ret = f->collapse ? hp_linux_collapse(addr, f->slots.slot) : -EINVAL;
	hp_filler_lock(f);
	if (ret == 0)
		mark_whole(f, slot);
	else if (f->collapse)
		slot->reason = HP_REASON_NO_CONTIGUOUS;
	f->releasing = false;
	hp_filler_unlock(f);
}
