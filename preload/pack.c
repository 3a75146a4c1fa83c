/* SPDX-License-Identifier: MIT */
#include "preload/pack.h"

#include "libhp/linux.h"
#include "libhp/mark.h"
#include "libhp/runs.h"
#include "libhp/shelf.h"
#include "preload/holes.h"
#include "preload/part.h"

/* between two collapses; each takes some tenths of one */
#define COLLAPSE_MS 20

static struct hp_filler pack;
static uint64_t live; /* pages */

int hp_pack_init(const struct hp_context *context, struct hp_start *start)
{
	int ret = hp_filler_init(&pack, &context->options, &context->pagesizes,
				 start);

	/* what lies unused at the end of slots would be twice what is used */
	pack.crosses = true;
	/* no pool page may lie under a mapping that must bear munmap at page
	 * granularity */
	pack.pool = false;
	pack.ladder.n = 0;
	return ret;
}

bool hp_pack_near(uintptr_t start, uintptr_t end)
{
	return start < pack.slots.base + HP_READ_ONCE(pack.slots.bytes) &&
	       end > pack.slots.base;
}

bool hp_pack_owns(uintptr_t addr)
{
	return hp_slots_own(&pack.slots, addr);
}

static int map_fresh(uintptr_t addr, size_t len)
{
	long ret = hp_linux_map(
		(void *)addr, len, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (hp_linux_failed(ret))
		return (int)ret;
	if ((uintptr_t)ret != addr) {
		hp_linux_unmap((void *)ret, len);
		return -EEXIST;
	}
	if (pack.keep)
		return 0;
	/* as its neighbours, or there would be a border in a block of both */
	if (pack.slots.advice)
		hp_linux_advise((void *)addr, len, pack.slots.advice);
	hp_slots_bind(&pack.slots, (void *)addr, len);
	return 0;
}

/* the rest of a wholly unmapped slot, of which @p was just taken */
static bool revive(const struct hp_part *p)
{
	struct hp_slot *slot = hp_part_slot(&pack.slots, p);

	if (map_fresh(hp_slots_addr(&pack.slots, p->slot), pack.slots.slot) < 0)
		return false;
	slot->flags &= (uint8_t) ~(HP_SLOT_HOLED | HP_SLOT_ADVICE);
	slot->reason = HP_REASON_NONE;
	return true;
}

static void kill_part(const struct hp_part *p)
{
	struct hp_slot *slot = hp_part_slot(&pack.slots, p);

	hp_part_kill(&pack.slots, p);
	if (slot->reason == HP_REASON_NONE)
		slot->reason = HP_REASON_SPLIT;
}

/* @p was just taken: are its pages there now? */
static bool is_there(const struct hp_part *p)
{
	if (!(hp_part_slot(&pack.slots, p)->flags & HP_SLOT_HOLED))
		return true;
	return revive(p);
}

/* a block that cannot be had, as its part in slot @gone is somebody else's */
static void untake(uintptr_t start, uintptr_t end, unsigned int gone)
{
	struct hp_part p;

	hp_filler_lock(&pack);
	while (hp_part_next(&pack.slots, &start, end, &p)) {
		if (p.slot == gone)
			kill_part(&p); /* taken for good */
		else
			hp_shelf_unplace(&pack, p.slot, p.first, p.len, true);
	}
	hp_filler_unlock(&pack);
}

static void *take(size_t len)
{
	bool clean;
	void *addr =
		hp_filler_take(&pack, len >> pack.slots.page_shift, 1, &clean);
	uintptr_t at = (uintptr_t)addr, end = at + len;
	struct hp_part p;

	while (addr && hp_part_next(&pack.slots, &at, end, &p)) {
		if (!is_there(&p)) {
			untake((uintptr_t)addr, end, p.slot);
			addr = NULL;
		}
	}
	return addr;
}

/* dead pages come alive */
static bool fill_hole(uintptr_t at, size_t len)
{
	uintptr_t end = at + len;
	struct hp_part p;

	if (map_fresh(at, len) < 0)
		return false;
	hp_filler_lock(&pack);
	while (hp_part_next(&pack.slots, &at, end, &p))
		hp_part_enliven(&pack, &p);
	hp_filler_unlock(&pack);
	return true;
}

static void *refill(size_t len)
{
	uintptr_t at;

	while ((at = hp_holes_find(len))) {
		if (fill_hole(at, len)) {
			hp_holes_fill(at, len);
			return (void *)at;
		}
		hp_holes_forget(at, at + len);
	}
	return NULL;
}

/*
 * A collapse takes longer than the mapping, the use and the unmapping of a
 * small block: a program that does that all day must not pay one each time.
 */
static bool collapse_is_due(void)
{
	static uint64_t last;
	uint64_t now;

	if (!pack.huge || !pack.collapse || pack.keep)
		return false;
	now = hp_linux_now_ms();
	if (now - last < COLLAPSE_MS)
		return false;
	last = now;
	return true;
}

/* a dead page is a hole, and the kernel collapses no slot with a hole */
static bool is_whole(const struct hp_part *p)
{
	const struct hp_slot *slot = hp_part_slot(&pack.slots, p);

	return slot->used == slot->dirty;
}

static struct hp_span whole_slots(uintptr_t start, uintptr_t end)
{
	struct hp_span span = {.size = pack.slots.slot};
	struct hp_part p;

	while (hp_part_next(&pack.slots, &start, end, &p)) {
		if (is_whole(&p) && span.n++ == 0)
			span.start = hp_slots_addr(&pack.slots, p.slot);
	}
	return span;
}

void *hp_pack_map(size_t len, struct hp_span *filled)
{
	void *addr = refill(len);

	*filled = (struct hp_span){0};
	if (addr) /* of two slots at most */
		*filled = whole_slots((uintptr_t)addr, (uintptr_t)addr + len);
	if (filled->n > 0 && !collapse_is_due())
		filled->n = 0;
	if (!addr)
		addr = take(len);
	if (addr)
		live += len >> pack.slots.page_shift;
	return addr;
}

/* nothing alive in it: what was never handed out goes too */
static void bury(unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&pack.slots, i);
	struct hp_part all = hp_part_whole(&pack.slots, i);
	uintptr_t addr = hp_slots_addr(&pack.slots, i);

	hp_holes_forget(addr, addr + pack.slots.slot);
	if (!(slot->flags & HP_SLOT_HOLED))
		hp_part_unmap_clean(&pack, &all);
	hp_filler_lock(&pack);
	hp_part_enliven(&pack, &all);
	hp_shelf_unplace(&pack, i, 0, pack.slots.pages, true);
	slot->flags |= HP_SLOT_HOLED;
	hp_filler_unlock(&pack);
}

/* what was handed out of a slot, all of it dead, is its holes */
static void note_dead(unsigned int i)
{
	const uint64_t *map = hp_slots_at(&pack.slots, i)->map;
	unsigned int pages = pack.slots.pages, shift = pack.slots.page_shift;
	uintptr_t addr = hp_slots_addr(&pack.slots, i);
	unsigned int first = hp_runs_next_set(map, pages, 0);

	hp_holes_forget(addr, addr + pack.slots.slot);
	while (first < pages) {
		unsigned int end = hp_runs_next_clear(map, pages, first);

		hp_holes_note(addr + ((uintptr_t)first << shift),
			      (size_t)(end - first) << shift);
		first = hp_runs_next_set(map, pages, end);
	}
}

static bool is_dead(unsigned int i)
{
	const struct hp_slot *slot = hp_slots_at(&pack.slots, i);

	return slot->dirty == 0 && !(slot->flags & HP_SLOT_HOLED);
}

/*
 * The last slot to empty stays as it is: a program that maps and unmaps one
 * block over and over would pay for a huge page, to map and to clear, each
 * time.
 */
static void retire(unsigned int i)
{
	static unsigned int kept; /* index + 1; 0: none */
	unsigned int last = kept ? kept - 1 : i;

	if (!is_dead(i)) {
		bury(i);
		return;
	}
	kept = i + 1;
	if (last != i && is_dead(last))
		bury(last);
	note_dead(i);
}

static void unmapped_part(const struct hp_part *p)
{
	struct hp_slot *slot = hp_part_slot(&pack.slots, p);
	unsigned int n = hp_part_live(&pack.slots, p);

	if (n == 0 && slot->flags & HP_SLOT_HOLED)
		return;
	live -= n;
	hp_filler_lock(&pack);
	kill_part(p);
	if (!(slot->flags & HP_SLOT_HOLED))
		hp_part_kill_clean(&pack, p);
	hp_filler_unlock(&pack);
	if (slot->dirty == 0)
		retire(p->slot);
	else if (n == p->len)
		hp_holes_note(hp_part_addr(&pack.slots, p),
			      (size_t)n << pack.slots.page_shift);
}

void hp_pack_unmapped(uintptr_t start, uintptr_t end)
{
	struct hp_part p;

	while (hp_part_next(&pack.slots, &start, end, &p))
		unmapped_part(&p);
}

/* in a slot that is not there otherwise the rest is not to be handed out */
static void mapped_part(const struct hp_part *p)
{
	struct hp_slot *slot = hp_part_slot(&pack.slots, p);
	struct hp_part all = hp_part_whole(&pack.slots, p->slot);

	live += p->len - hp_part_live(&pack.slots, p);
	hp_filler_lock(&pack);
	hp_part_enliven(&pack, p);
	if (slot->flags & HP_SLOT_HOLED)
		hp_part_kill_clean(&pack, &all);
	slot->flags |= HP_SLOT_ADVICE;
	slot->reason = HP_REASON_SPLIT;
	hp_filler_unlock(&pack);
}

void hp_pack_mapped(uintptr_t start, uintptr_t end)
{
	struct hp_part p;

	hp_holes_forget(start, end);
	while (hp_part_next(&pack.slots, &start, end, &p))
		mapped_part(&p);
}

void hp_pack_mark(uintptr_t start, uintptr_t end, enum hp_reason reason)
{
	hp_mark(&pack, start, end, false, reason);
}

bool hp_pack_refuses(uintptr_t start, uintptr_t end)
{
	struct hp_part p;

	while (hp_part_next(&pack.slots, &start, end, &p))
		if (hp_part_slot(&pack.slots, &p)->reason ==
		    HP_REASON_PROGRAM_ADVICE)
			return true;
	return false;
}

void hp_pack_collapse(const struct hp_span *filled)
{
	for (size_t i = 0; i < filled->n; i++) {
		uintptr_t slot = filled->start + i * filled->size;

		if (hp_linux_collapse((void *)slot, filled->size) == 0)
			hp_stats_count(HP_EVENT_COLLAPSED);
	}
}

void hp_pack_ranges(hp_range_fn fn, void *arg)
{
	hp_filler_ranges(&pack, fn, arg);
}

uint64_t hp_pack_used(void)
{
	return live << pack.slots.page_shift;
}

void hp_pack_keep(void)
{
	hp_filler_seal(&pack);
}

void hp_pack_fork_prepare(void)
{
	hp_filler_fork_prepare(&pack);
}

void hp_pack_fork_parent(void)
{
	hp_filler_fork_parent(&pack);
}

void hp_pack_fork_child(void)
{
	hp_filler_fork_child(&pack);
}
