/* SPDX-License-Identifier: MIT */
#include "libhp/outgrow.h"

#include "libhp/bloat.h"
#include "libhp/linux.h"

void hp_outgrow_note(struct hp_filler *f, size_t pages)
{
	struct hp_start *start = f->start;
	uint64_t bytes = (uint64_t)pages << f->slots.page_shift;

	if (!start)
		return;
	bytes = __atomic_add_fetch(&start->bytes, bytes, __ATOMIC_RELAXED);
	if (bytes > start->threshold)
		start->passed = true;
	if (start->passed)
		hp_outgrow_now(f);
}

void hp_outgrow_forget(struct hp_filler *f, size_t pages)
{
	if (f->start)
		__atomic_sub_fetch(&f->start->bytes,
				   (uint64_t)pages << f->slots.page_shift,
				   __ATOMIC_RELAXED);
}

/* the page tables in use are small pages: as if they had been broken up */
static void turn_over(struct hp_filler *f)
{
	for (unsigned int i = 0; i < f->slots.n; i++) {
		struct hp_slot *slot = hp_slots_at(&f->slots, i);

		if (slot->state != HP_SLOT_SMALL)
			continue;
		slot->state = HP_SLOT_THP;
		if (slot->flags & HP_SLOT_TOUCHED)
			slot->flags |= HP_SLOT_BROKEN;
	}
}

static void advise_all(struct hp_filler *f)
{
	for (unsigned int i = 0; f->slots.aliens && i < f->slots.n; i++)
		if (hp_slots_at(&f->slots, i)->state != HP_SLOT_ALIEN)
			hp_linux_advise((void *)hp_slots_addr(&f->slots, i),
					f->slots.slot, MADV_HUGEPAGE);
	if (!f->slots.aliens && f->slots.bytes > 0)
		hp_linux_advise((void *)f->slots.base, f->slots.bytes,
				MADV_HUGEPAGE);
}

static bool wants_collapse(struct hp_filler *f, unsigned int i)
{
	bool wants;

	hp_filler_lock(f);
	wants = hp_slots_at(&f->slots, i)->flags & HP_SLOT_BROKEN;
	hp_filler_unlock(f);
	return wants;
}

void hp_outgrow_now(struct hp_filler *f)
{
	unsigned int n;

	/* a sandbox that forbids madvise: growth inherits what is there */
	if (f->keep)
		return;
	while (!hp_lock_take(&f->grow))
		;
	n = f->huge ? 0 : f->slots.n;
	if (!f->huge) {
		f->slots.advice = MADV_HUGEPAGE;
		advise_all(f);
		hp_filler_lock(f);
		turn_over(f);
		f->huge = true;
		hp_filler_unlock(f);
	}
	hp_lock_drop(&f->grow);
	for (unsigned int i = 0; i < n; i++)
		if (wants_collapse(f, i))
			hp_bloat_refill(f, i);
}
