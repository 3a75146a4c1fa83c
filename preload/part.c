/* SPDX-License-Identifier: MIT */
#include "preload/part.h"

#include "libhp/linux.h"
#include "libhp/runs.h"
#include "libhp/shelf.h"

static uint64_t *dirty_map(const struct hp_slots *s, const struct hp_part *p)
{
	return hp_slot_dirty_map(s, hp_part_slot(s, p));
}

unsigned int hp_part_live(const struct hp_slots *s, const struct hp_part *p)
{
	return hp_runs_count(dirty_map(s, p), p->first, p->len);
}

static void add_dirty(const struct hp_slots *s, const struct hp_part *p,
		      unsigned int more, unsigned int less)
{
	struct hp_slot *slot = hp_part_slot(s, p);

	slot->dirty = (uint16_t)(slot->dirty + more - less);
}

void hp_part_kill(const struct hp_slots *s, const struct hp_part *p)
{
	add_dirty(s, p, 0, hp_part_live(s, p));
	hp_runs_clear(dirty_map(s, p), p->first, p->len);
}

typedef void (*run_fn)(struct hp_filler *f, const struct hp_part *run);

/* what @fn does to a run leaves those behind it as they are */
static void each_clean(struct hp_filler *f, const struct hp_part *p, run_fn fn)
{
	const uint64_t *map = hp_part_slot(&f->slots, p)->map;
	unsigned int end = p->first + p->len;
	struct hp_part run = {.slot = p->slot};

	run.first = hp_runs_next_clear(map, end, p->first);
	while (run.first < end) {
		run.len = hp_runs_next_set(map, end, run.first) - run.first;
		fn(f, &run);
		run.first = hp_runs_next_clear(map, end, run.first + run.len);
	}
}

static void place_run(struct hp_filler *f, const struct hp_part *run)
{
	hp_shelf_place(f, run->slot, run->first, run->len);
}

static void place_and_kill(struct hp_filler *f, const struct hp_part *run)
{
	place_run(f, run);
	hp_part_kill(&f->slots, run);
}

void hp_part_kill_clean(struct hp_filler *f, const struct hp_part *p)
{
	each_clean(f, p, place_and_kill);
}

void hp_part_enliven(struct hp_filler *f, const struct hp_part *p)
{
	each_clean(f, p, place_run);
	add_dirty(&f->slots, p, p->len, hp_part_live(&f->slots, p));
	hp_runs_set(dirty_map(&f->slots, p), p->first, p->len);
}

static void unmap_run(struct hp_filler *f, const struct hp_part *run)
{
	hp_linux_unmap((void *)hp_part_addr(&f->slots, run),
		       (size_t)run->len << f->slots.page_shift);
}

void hp_part_unmap_clean(struct hp_filler *f, const struct hp_part *p)
{
	each_clean(f, p, unmap_run);
}
