/* SPDX-License-Identifier: MIT */
#include "libhp/mark.h"

#include "libhp/linux.h"
#include "libhp/runs.h"

/* the pages of one slot in [addr, end) */
struct part {
	struct hp_slot *slot;
	uintptr_t addr;		/* of the slot */
	unsigned int first, to; /* pages */
};

static bool next_part(const struct hp_filler *f, uintptr_t *addr, uintptr_t end,
		      struct part *p)
{
	const struct hp_slots *s = &f->slots;
	unsigned int i;

	if (*addr >= end)
		return false;
	i = hp_slots_index(s, *addr);
	p->slot = hp_slots_at(s, i);
	p->addr = hp_slots_addr(s, i);
	p->first = (unsigned int)((*addr - p->addr) >> s->page_shift);
	p->to = (unsigned int)((hp_min(end, p->addr + s->slot) - p->addr) >>
			       s->page_shift);
	*addr = p->addr + s->slot;
	return true;
}

static void mark_part(const struct hp_filler *f, const struct part *p,
		      bool lasts, enum hp_reason reason)
{
	struct hp_slot *slot = p->slot;

	if (slot->state == HP_SLOT_ALIEN)
		return;
	slot->flags |= HP_SLOT_ADVICE;
	if (reason != HP_REASON_NONE)
		slot->reason = (uint8_t)reason;
	/* a pool page changes as a whole, and is replaced as a whole */
	if (lasts && slot->state != HP_SLOT_HUGETLB)
		hp_runs_set(hp_slot_changed_map(&f->slots, slot), p->first,
			    p->to - p->first);
}

void hp_mark(struct hp_filler *f, uintptr_t addr, uintptr_t end, bool lasts,
	     enum hp_reason reason)
{
	struct part p;

	/* a handler that interrupted the holder: only the report is less exact */
	if (!hp_lock_take(&f->lock))
		return;
	HP_WRITE_ONCE(f->marked, true);
	addr = hp_max(addr, f->slots.base);
	end = hp_min(end, f->slots.base + f->slots.bytes);
	while (next_part(f, &addr, end, &p))
		mark_part(f, &p, lasts, reason);
	hp_filler_unlock(f);
}

/* the first changed run of the part, changed no more */
static bool take_run(struct hp_filler *f, const struct part *p,
		     struct hp_run *run)
{
	uint64_t *changed = hp_slot_changed_map(&f->slots, p->slot);
	unsigned int first;

	hp_filler_lock(f);
	first = hp_runs_next_set(changed, p->to, p->first);
	if (first < p->to) {
		run->first = first;
		run->len = hp_runs_next_clear(changed, p->to, first) - first;
		hp_runs_clear(changed, first, run->len);
	}
	hp_filler_unlock(f);
	return first < p->to;
}

static int renew(const struct hp_filler *f, const struct part *p,
		 const struct hp_run *run)
{
	unsigned int shift = f->slots.page_shift;
	bool broken = f->huge && p->slot->flags & HP_SLOT_BROKEN;

	return hp_slots_map_anew(&f->slots,
				 p->addr + ((uintptr_t)run->first << shift),
				 (size_t)run->len << shift,
				 broken ? MADV_NOHUGEPAGE : f->slots.advice);
}

int hp_mark_undo(struct hp_filler *f, uintptr_t addr, size_t pages)
{
	uintptr_t end = addr + (pages << f->slots.page_shift);
	struct hp_run run;
	struct part p;
	int ret = 0;

	while (ret == 0 && next_part(f, &addr, end, &p))
		while (ret == 0 && take_run(f, &p, &run))
			ret = renew(f, &p, &run);
	return ret;
}
