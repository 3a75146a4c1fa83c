/* SPDX-License-Identifier: MIT */
#include "preload/pack.h"

#include <string.h>

#include "libhp/linux.h"
#include "libhp/runs.h"
#include "libhp/shelf.h"

#define HOLES 64
#define WORDS_MAX 128

/* between two collapses; each takes some tenths of one */
#define COLLAPSE_MS 20

static struct hp_filler pack;
static uint64_t live; /* pages */

/* the latest holes, newest last: programs map what they have just unmapped */
static struct {
	uintptr_t start;
	size_t len;
} holes[HOLES];
static unsigned int nholes;

int hp_pack_init(const struct hp_context *context, struct hp_start *start)
{
	int ret = hp_filler_init(&pack, &context->options, &context->pagesizes,
				 start);

	/* pages go back by the program's munmap alone; and no pool page may
	 * lie under a mapping that must bear munmap at page granularity */
	pack.bloat = UINT32_MAX;
	pack.pool = false;
	pack.ladder.n = 0;
	return ret;
}

bool hp_pack_near(uintptr_t start, uintptr_t end)
{
	return start < pack.slots.base + pack.slots.bytes &&
	       end > pack.slots.base;
}

static uint64_t *dirty_map(struct hp_slot *slot)
{
	return hp_slot_dirty_map(&pack.slots, slot);
}

/* the part of [start, end) inside one slot, as pages */
struct part {
	unsigned int slot, first, len;
};

static bool next_part(uintptr_t *start, uintptr_t end, struct part *out)
{
	const struct hp_slots *s = &pack.slots;
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

static int map_fresh(uintptr_t addr, size_t len)
{
	long ret = hp_linux_map((void *)addr, len, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS |
					MAP_FIXED_NOREPLACE,
				-1, 0);

	if (hp_linux_failed(ret))
		return (int)ret;
	if ((uintptr_t)ret != addr) {
		hp_linux_unmap((void *)ret, len);
		return -EEXIST;
	}
	if (pack.slots.advice && !pack.keep)
		hp_linux_advise((void *)addr, len, pack.slots.advice);
	return 0;
}

/* a wholly unmapped slot, @first and @len of which were just taken */
static bool revive(unsigned int i, unsigned int first, unsigned int len)
{
	struct hp_slot *slot = hp_slots_at(&pack.slots, i);

	if (map_fresh(hp_slots_addr(&pack.slots, i), pack.slots.slot) < 0)
		return false;
	slot->flags &= (uint8_t)~(HP_SLOT_HOLED | HP_SLOT_ADVICE);
	slot->reason = HP_REASON_NONE;
	slot->dirty = (uint16_t)len;
	memset(dirty_map(slot), 0, pack.slots.words * sizeof(uint64_t));
	hp_runs_set(dirty_map(slot), first, len);
	return true;
}

/* the live ones among these pages die; Return: how many that were */
static unsigned int kill_pages(const struct part *p)
{
	struct hp_slot *slot = hp_slots_at(&pack.slots, p->slot);
	unsigned int n = hp_runs_count(dirty_map(slot), p->first, p->len);

	hp_runs_clear(dirty_map(slot), p->first, p->len);
	slot->dirty = (uint16_t)(slot->dirty - n);
	if (slot->reason == HP_REASON_NONE)
		slot->reason = HP_REASON_SPLIT;
	return n;
}

static void *take(size_t pages)
{
	bool clean;
	void *addr = hp_filler_take(&pack, pages, 1, &clean);
	uintptr_t at = (uintptr_t)addr;
	struct part p;

	if (!addr)
		return NULL;
	next_part(&at, at + (pages << pack.slots.page_shift), &p);
	if (hp_slots_at(&pack.slots, p.slot)->flags & HP_SLOT_HOLED &&
	    !revive(p.slot, p.first, p.len)) {
		kill_pages(&p); /* somebody else's by now: taken for good */
		return NULL;
	}
	return addr;
}

/* dead pages come alive: the used bits were never cleared */
static bool fill_hole(unsigned int h, size_t len)
{
	uintptr_t at = holes[h].start;
	struct part p;

	if (map_fresh(at, len) < 0)
		return false;
	while (next_part(&at, holes[h].start + len, &p)) {
		struct hp_slot *slot = hp_slots_at(&pack.slots, p.slot);

		hp_runs_set(dirty_map(slot), p.first, p.len);
		slot->dirty = (uint16_t)(slot->dirty + p.len);
	}
	return true;
}

static void drop_hole(unsigned int h)
{
	nholes--;
	memmove(&holes[h], &holes[h + 1], (nholes - h) * sizeof(holes[0]));
}

static void *refill(size_t len)
{
	for (unsigned int h = nholes; h-- > 0;) {
		uintptr_t at = holes[h].start;

		if (holes[h].len < len)
			continue;
		if (!fill_hole(h, len)) {
			drop_hole(h);
			continue;
		}
		holes[h].start += len;
		holes[h].len -= len;
		if (holes[h].len == 0)
			drop_hole(h);
		return (void *)at;
	}
	return NULL;
}

/*
 * A collapse takes longer than the mapping, the use and the unmapping of a
 * small block: a program that does that all day must not pay one each time.
 */
static bool collapse_is_due(void *addr)
{
	static uint64_t last;
	unsigned int i = hp_slots_index(&pack.slots, (uintptr_t)addr);
	const struct hp_slot *slot = hp_slots_at(&pack.slots, i);
	uint64_t now;

	/* a dead page is a hole, and the kernel collapses none with a hole */
	if (!pack.huge || !pack.collapse || pack.keep ||
	    slot->used != slot->dirty)
		return false;
	now = hp_linux_now_ms();
	if (now - last < COLLAPSE_MS)
		return false;
	last = now;
	return true;
}

void *hp_pack_map(size_t len, bool *filled)
{
	void *addr = refill(len);

	*filled = addr && collapse_is_due(addr);
	if (!addr)
		addr = take(len >> pack.slots.page_shift);
	if (addr)
		live += len >> pack.slots.page_shift;
	return addr;
}

static void forget_holes(uintptr_t start, uintptr_t end)
{
	for (unsigned int h = nholes; h-- > 0;)
		if (holes[h].start < end &&
		    holes[h].start + holes[h].len > start)
			drop_hole(h);
}

static void note_hole(uintptr_t start, size_t len)
{
	if (nholes == HOLES)
		drop_hole(0);
	holes[nholes].start = start;
	holes[nholes++].len = len;
}

typedef void (*run_fn)(unsigned int i, unsigned int first, unsigned int len);

/* never handed out, still mapped */
static void unmap_run(unsigned int i, unsigned int first, unsigned int len)
{
	hp_linux_unmap((void *)(hp_slots_addr(&pack.slots, i) +
				((uintptr_t)first << pack.slots.page_shift)),
		       (size_t)len << pack.slots.page_shift);
}

static void place_run(unsigned int i, unsigned int first, unsigned int len)
{
	hp_shelf_place(&pack, i, first, len);
}

/* the pages of [first, end) of slot @i that are not taken */
static void each_free(unsigned int i, unsigned int first, unsigned int end,
		      run_fn fn)
{
	uint64_t map[WORDS_MAX];

	memcpy(map, hp_slots_at(&pack.slots, i)->map,
	       pack.slots.words * sizeof(map[0]));
	first = hp_runs_next_clear(map, end, first);
	while (first < end) {
		unsigned int stop = hp_runs_next_set(map, end, first);

		fn(i, first, stop - first);
		first = hp_runs_next_clear(map, end, stop);
	}
}

/* pages never handed out that are not there (any more) are dead at once */
static void kill_free(unsigned int i, unsigned int first, unsigned int end)
{
	struct hp_slot *slot = hp_slots_at(&pack.slots, i);
	unsigned int had = hp_runs_count(dirty_map(slot), first, end - first);
	uint64_t before[WORDS_MAX];

	memcpy(before, dirty_map(slot), pack.slots.words * sizeof(before[0]));
	each_free(i, first, end, place_run);
	slot->dirty = (uint16_t)(slot->dirty + had -
				 hp_runs_count(dirty_map(slot), first,
					       end - first));
	memcpy(dirty_map(slot), before, pack.slots.words * sizeof(before[0]));
}

/* nothing alive in it: what was never handed out goes too */
static void bury(unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&pack.slots, i);
	uintptr_t addr = hp_slots_addr(&pack.slots, i);

	if (!(slot->flags & HP_SLOT_HOLED))
		each_free(i, 0, pack.slots.pages, unmap_run);
	forget_holes(addr, addr + pack.slots.slot);
	hp_filler_lock(&pack);
	each_free(i, 0, pack.slots.pages, place_run);
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

	forget_holes(addr, addr + pack.slots.slot);
	while (first < pages) {
		unsigned int end = hp_runs_next_clear(map, pages, first);

		note_hole(addr + ((uintptr_t)first << shift),
			  (size_t)(end - first) << shift);
		first = hp_runs_next_set(map, pages, end);
	}
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

	if (hp_slots_at(&pack.slots, i)->flags & HP_SLOT_HOLED) {
		bury(i);
		return;
	}
	kept = i + 1;
	if (last != i && hp_slots_at(&pack.slots, last)->dirty == 0 &&
	    !(hp_slots_at(&pack.slots, last)->flags & HP_SLOT_HOLED))
		bury(last);
	note_dead(i);
}

static void unmapped_part(const struct part *p)
{
	struct hp_slot *slot = hp_slots_at(&pack.slots, p->slot);
	unsigned int n = kill_pages(p);

	live -= n;
	if (n == 0)
		return;
	if (!(slot->flags & HP_SLOT_HOLED)) {
		hp_filler_lock(&pack);
		kill_free(p->slot, p->first, p->first + p->len);
		hp_filler_unlock(&pack);
	}
	if (slot->dirty == 0)
		retire(p->slot);
	else if (n == p->len)
		note_hole(hp_slots_addr(&pack.slots, p->slot) +
				  ((size_t)p->first << pack.slots.page_shift),
			  (size_t)n << pack.slots.page_shift);
}

void hp_pack_unmapped(uintptr_t start, uintptr_t end)
{
	struct part p;

	while (next_part(&start, end, &p))
		unmapped_part(&p);
}

/* in a slot that is not there otherwise the rest is not to be handed out */
static void mapped_part(const struct part *p)
{
	struct hp_slot *slot = hp_slots_at(&pack.slots, p->slot);
	uint64_t *dirty = dirty_map(slot);

	live += p->len - hp_runs_count(dirty, p->first, p->len);
	hp_filler_lock(&pack);
	each_free(p->slot, p->first, p->first + p->len, place_run);
	slot->dirty = (uint16_t)(slot->dirty + p->len -
				 hp_runs_count(dirty, p->first, p->len));
	hp_runs_set(dirty, p->first, p->len);
	if (slot->flags & HP_SLOT_HOLED)
		kill_free(p->slot, 0, pack.slots.pages);
	slot->flags |= HP_SLOT_ADVICE;
	slot->reason = HP_REASON_SPLIT;
	hp_filler_unlock(&pack);
}

void hp_pack_mapped(uintptr_t start, uintptr_t end)
{
	struct part p;

	forget_holes(start, end);
	while (next_part(&start, end, &p))
		mapped_part(&p);
}

void hp_pack_mark(uintptr_t start, uintptr_t end, enum hp_reason reason)
{
	hp_filler_mark(&pack, start, end, HP_SLOT_ADVICE, reason);
}

void hp_pack_collapse(void *addr)
{
	uintptr_t slot = hp_align_down((uintptr_t)addr, pack.slots.slot);

	if (hp_linux_collapse((void *)slot, pack.slots.slot) == 0)
		hp_stats_count(HP_EVENT_COLLAPSED);
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
