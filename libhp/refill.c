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

static bool may_refill(const struct hp_filler *f, const struct hp_slot *slot)
{
	return slot->flags & HP_SLOT_BROKEN &&
	       (slot->reason == HP_REASON_RELEASED ||
		slot->reason == HP_REASON_NONE) &&
	       slot->used >= f->slots.pages - f->slots.pages / 16;
}

unsigned int hp_bloat_choose_refill(struct hp_filler *f, uintptr_t addr)
{
	unsigned int i = hp_slots_index(&f->slots, addr);

	if (f->keep || !f->huge)
		return f->slots.n;
	if (may_refill(f, hp_slots_at(&f->slots, i)))
		return i;
	/* its last page may have been the one during which it had to wait */
	if (HP_LIKELY(!f->missed) || f->releasing)
		return f->slots.n;
	for (i = 0; i < f->slots.n; i++)
		if (may_refill(f, hp_slots_at(&f->slots, i)))
			return i;
	f->missed = false;
	return i;
}

static bool begin_refill(struct hp_filler *f, const struct hp_slot *slot)
{
	bool begun = false;

	hp_filler_lock(f);
	if (slot->flags & HP_SLOT_BROKEN) {
		begun = hp_bloat_begin(f);
		f->missed |= !begun;
	}
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
