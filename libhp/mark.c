/* SPDX-License-Identifier: MIT */
#include "libhp/mark.h"

#include "libhp/linux.h"
#include "libhp/part.h"
#include "libhp/runs.h"

static void mark_part(const struct hp_filler *f, const struct hp_part *p,
		      bool lasts, enum hp_reason reason)
{
	struct hp_slot *slot = hp_part_slot(&f->slots, p);

	if (slot->state == HP_SLOT_ALIEN)
		return;
	slot->flags |= HP_SLOT_ADVICE;
	if (reason != HP_REASON_NONE)
		slot->reason = (uint8_t)reason;
	/* a pool page changes as a whole, and is replaced as a whole */
	if (lasts && slot->state != HP_SLOT_HUGETLB)
		hp_runs_set(hp_slot_changed_map(&f->slots, slot), p->first,
			    p->len);
}

void hp_mark(struct hp_filler *f, uintptr_t addr, uintptr_t end, bool lasts,
	     enum hp_reason reason)
{
	struct hp_part p;

	/* a handler that interrupted the holder has to do without */
	if (!hp_lock_take(&f->lock))
		return;
	HP_WRITE_ONCE(f->marked, true);
	while (hp_part_next(&f->slots, &addr, end, &p))
		mark_part(f, &p, lasts, reason);
	hp_filler_unlock(f);
}

void hp_mark_locked(struct hp_filler *f, uintptr_t addr, uintptr_t end)
{
	struct hp_part p;

	while (hp_part_next(&f->slots, &addr, end, &p)) {
		uintptr_t start = hp_part_addr(&f->slots, &p);

		if (hp_part_slot(&f->slots, &p)->state != HP_SLOT_HUGETLB)
			hp_mark(f, start, addr, true, HP_REASON_NONE);
	}
}

/* the first changed run of the part, changed no more */
static bool take_run(struct hp_filler *f, const struct hp_part *p,
		     struct hp_part *run)
{
	uint64_t *changed =
		hp_slot_changed_map(&f->slots, hp_part_slot(&f->slots, p));
	unsigned int to = p->first + p->len, first;

	hp_filler_lock(f);
	first = hp_runs_next_set(changed, to, p->first);
	if (first < to) {
		*run = (struct hp_part){p->slot, first,
					hp_runs_next_clear(changed, to, first) -
						first};
		hp_runs_clear(changed, first, run->len);
	}
	hp_filler_unlock(f);
	return first < to;
}

static int renew(const struct hp_filler *f, const struct hp_part *run)
{
	const struct hp_slot *slot = hp_part_slot(&f->slots, run);
	bool broken = f->huge && slot->flags & HP_SLOT_BROKEN;

	return hp_slots_map_anew(&f->slots, hp_part_addr(&f->slots, run),
				 (size_t)run->len << f->slots.page_shift,
				 broken ? MADV_NOHUGEPAGE : f->slots.advice);
}

int hp_mark_undo(struct hp_filler *f, uintptr_t addr, size_t pages)
{
	uintptr_t end = addr + (pages << f->slots.page_shift);
	struct hp_part p, run;
	int ret = 0;

	while (ret == 0 && hp_part_next(&f->slots, &addr, end, &p))
		while (ret == 0 && take_run(f, &p, &run))
			ret = renew(f, &run);
	return ret;
}
