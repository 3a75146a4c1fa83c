/* SPDX-License-Identifier: MIT */
#include "libhp/shelf.h"

#include "libhp/runs.h"

/* lists: by longest free run, then by fullness, fullest first */

static unsigned int class_of(unsigned int run)
{
	unsigned int log;

	if (run <= 32)
		return run;
	log = hp_log2(run);
	return 32 + 4 * (log - 5) + (run >> (log - 2) & 3);
}

static unsigned int list_of(const struct hp_filler *f,
			    const struct hp_slot *slot)
{
	unsigned int free = f->slots.pages - slot->used;

	return class_of(slot->longest) * HP_FILLER_FULLNESS +
	       free * HP_FILLER_FULLNESS / (f->slots.pages + 1);
}

static void unlist(struct hp_filler *f, struct hp_slot *slot)
{
	unsigned int l = slot->list;

	if (l == HP_SLOT_UNLISTED)
		return;
	if (slot->prev)
		hp_slots_at(&f->slots, slot->prev - 1)->next = slot->next;
	else
		f->heads[l] = slot->next;
	if (slot->next)
		hp_slots_at(&f->slots, slot->next - 1)->prev = slot->prev;
	if (!f->heads[l])
		f->filled[l / 64] &= ~((uint64_t)1 << (l % 64));
	slot->list = HP_SLOT_UNLISTED;
}

static void enlist(struct hp_filler *f, unsigned int i, struct hp_slot *slot)
{
	unsigned int l = list_of(f, slot);

	slot->list = (uint16_t)l;
	slot->prev = 0;
	slot->next = f->heads[l];
	if (slot->next)
		hp_slots_at(&f->slots, slot->next - 1)->prev = i + 1;
	f->heads[l] = i + 1;
	f->filled[l / 64] |= (uint64_t)1 << (l % 64);
}

/* after a change of its bitmap: the list or set the slot belongs to now */
static void refile(struct hp_filler *f, unsigned int i, struct hp_slot *slot)
{
	bool empty = slot->used == 0;
	bool listed = !empty && slot->used < f->slots.pages;

	if (slot->list != HP_SLOT_UNLISTED && listed &&
	    slot->list == list_of(f, slot))
		return;
	unlist(f, slot);
	if (listed)
		enlist(f, i, slot);
	hp_slots_set_empty(&f->slots, i, empty);
}

unsigned int hp_shelf_resident(const struct hp_filler *f,
			       const struct hp_slot *slot)
{
	bool whole =
		slot->state == HP_SLOT_HUGETLB ||
		(slot->state == HP_SLOT_THP && !(slot->flags & HP_SLOT_BROKEN));

	if (whole)
		return slot->flags & HP_SLOT_TOUCHED ? f->slots.pages : 0;
	return slot->dirty;
}

static void recount(struct hp_filler *f, const struct hp_slot *slot,
		    unsigned int before)
{
	f->resident += hp_shelf_resident(f, slot);
	f->resident -= before;
}

void hp_shelf_place(struct hp_filler *f, unsigned int i, unsigned int first,
		    unsigned int len)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);
	uint64_t *dirty = hp_slot_dirty_map(&f->slots, slot);
	unsigned int before = hp_shelf_resident(f, slot);
	struct hp_run run = hp_runs_around(slot->map, f->slots.pages, first);

	hp_runs_set(slot->map, first, len);
	slot->used = (uint16_t)(slot->used + len);
	slot->dirty = (uint16_t)(slot->dirty + len -
				 hp_runs_count(dirty, first, len));
	hp_runs_set(dirty, first, len);
	slot->flags |= HP_SLOT_TOUCHED;
	if (run.len == slot->longest)
		slot->longest = (uint16_t)hp_runs_longest(
			slot->map, f->slots.pages, slot->longest);
	f->used += len;
	f->high = hp_max(f->high, f->used);
	recount(f, slot, before);
	refile(f, i, slot);
}

/* an empty slot all of which is clean is as the kernel gave it */
static void settle(struct hp_filler *f, struct hp_slot *slot)
{
	if (slot->used > 0 || slot->dirty > 0)
		return;
	f->broken -= (slot->flags & HP_SLOT_BROKEN) != 0;
	slot->flags &= (uint8_t) ~(HP_SLOT_TOUCHED | HP_SLOT_BROKEN |
				   HP_SLOT_ADVICE | HP_SLOT_PINNED);
	slot->reason = HP_REASON_NONE;
}

void hp_shelf_unplace(struct hp_filler *f, unsigned int i, unsigned int first,
		      unsigned int len, bool clean)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);
	uint64_t *dirty = hp_slot_dirty_map(&f->slots, slot);
	unsigned int before = hp_shelf_resident(f, slot);
	struct hp_run run;

	hp_runs_clear(slot->map, first, len);
	slot->used = (uint16_t)(slot->used - len);
	if (clean) {
		slot->dirty = (uint16_t)(slot->dirty -
					 hp_runs_count(dirty, first, len));
		hp_runs_clear(dirty, first, len);
	}
	run = hp_runs_around(slot->map, f->slots.pages, first);
	slot->longest = (uint16_t)hp_max(slot->longest, run.len);
	f->used -= len;
	settle(f, slot);
	recount(f, slot, before);
	refile(f, i, slot);
}

/* choosing */

static unsigned int first_filled(const struct hp_filler *f, unsigned int from)
{
	return hp_runs_next_set(f->filled, HP_FILLER_LISTS, from);
}

/* the fullest slot with a fitting run; @run receives where; n when none */
unsigned int hp_shelf_choose(const struct hp_filler *f, unsigned int pages,
			     unsigned int align, struct hp_run *run)
{
	const struct hp_slots *s = &f->slots;
	unsigned int l = class_of(pages) * HP_FILLER_FULLNESS;

	/* runs of one class differ in length, and alignment may not fit */
	for (l = first_filled(f, l); l < HP_FILLER_LISTS;
	     l = first_filled(f, l + 1)) {
		unsigned int next = f->heads[l];

		for (int tries = 0; next && tries < 4; tries++) {
			struct hp_slot *slot = hp_slots_at(s, next - 1);

			if (slot->longest >= pages &&
			    hp_runs_find(slot->map, s->pages, pages, align,
					 run))
				return next - 1;
			next = slot->next;
		}
	}
	return s->n;
}

bool hp_shelf_clean(const struct hp_filler *f, unsigned int i,
		    unsigned int first, unsigned int len)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);

	return hp_runs_count(hp_slot_dirty_map(&f->slots, slot), first, len) ==
	       0;
}
