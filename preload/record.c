/* SPDX-License-Identifier: MIT */
#include "preload/record.h"

#include "libhp/heap.h"
#include "libhp/mark.h"
#include "libhp/signals.h"
#include "libhp/stats.h"
#include "preload/pack.h"
#include "preload/sampling.h"

/* far below vm.max_map_count (65530): the rest is for the program's own */
#define RUNS_MAX 4096

/*
 * A program may leave any call of the mmap family by siglongjmp, out of a
 * handler that came while this lock was held. To block signals each time would
 * cost a tenth of what mapping costs. Instead the lock is then never had again,
 * in children neither: lists and packed slots stay as they are, in whatever
 * state, nothing more is handed out of them, and the program's calls go to the
 * kernel untouched, which is always right.
 */
static struct hp_lock lock;
static bool records, packs, packed_all;

/* a copy of the first entry that ends above @addr; false when none */
static bool next_map(uintptr_t addr, struct hp_map *out)
{
	const struct hp_map *map;

	if (!hp_lock_take(&lock))
		return false;
	map = hp_maplist_find(addr);
	if (map)
		*out = *map;
	hp_lock_drop(&lock);
	return map != NULL;
}

static void ranges(hp_range_fn fn, void *arg)
{
	struct hp_map map = {0};

	hp_pack_ranges(fn, arg);
	while (next_map(map.end, &map)) {
		struct hp_range range = {map.start, map.end,
					 (enum hp_reason)map.reason, false};

		if (map.kind == HP_MAP_ADVISED)
			fn(&range, arg);
	}
}

uint64_t hp_record_used(void)
{
	return hp_pack_used() + hp_maplist_advised();
}

static struct hp_provider provider = {
	.origin = HP_ORIGIN_MMAP,
	.ranges = ranges,
	.used = hp_record_used,
};

void hp_record_init(bool with_packs)
{
	records = true;
	packs = with_packs;
	hp_stats_provide(&provider);
}

bool hp_record_near(uintptr_t start, uintptr_t end)
{
	return hp_slots_hold(&hp_heap.slots, (void *)start) ||
	       (packs && hp_pack_near(start, end)) ||
	       (records && hp_maplist_near(start, end));
}

/* the entry that holds @addr; NULL when none */
static const struct hp_map *map_of(uintptr_t addr)
{
	const struct hp_map *map = hp_maplist_find(addr);

	return map && map->start <= addr ? map : NULL;
}

bool hp_record_has_many(void)
{
	return hp_maplist_runs() > RUNS_MAX;
}

/* what the program puts into a block of the heap ends with the block */
static bool in_slots(uintptr_t addr)
{
	return hp_slots_own(&hp_heap.slots, addr) ||
	       (packs && hp_pack_owns(addr));
}

bool hp_record_covers(uintptr_t start, uintptr_t end)
{
	const struct hp_map *map = NULL;

	if (!hp_maplist_near(start, end) || !hp_lock_take(&lock))
		return false;
	for (; start < end && (map = map_of(start)); start = map->end)
		;
	hp_lock_drop(&lock);
	return map != NULL;
}

bool hp_record_touched(uintptr_t start, uintptr_t end)
{
	const struct hp_map *map;

	if (!hp_lock_take(&lock))
		return false;
	map = hp_maplist_find(start);
	while (map && map->start < end && map->kind == HP_MAP_RESERVED)
		map = hp_maplist_find(map->end);
	hp_lock_drop(&lock);
	return map && map->start < end;
}

static bool is_untouched(const struct hp_map *map)
{
	return map->kind == HP_MAP_RESERVED && map->reason == HP_REASON_NONE;
}

bool hp_record_open(uintptr_t start, uintptr_t end, uintptr_t window,
		    struct hp_map *opened)
{
	const struct hp_map *map;
	bool found;

	if (!hp_lock_take(&lock))
		return false;
	map = hp_maplist_find(start);
	while (map && map->start < end && !is_untouched(map))
		map = hp_maplist_find(map->end);
	found = map && map->start < end;
	if (found) {
		*opened = *map;
		opened->start =
			hp_max(map->start, hp_align_down(start, window));
		opened->end = hp_min(map->end, hp_align_up(end, window));
		hp_maplist_set(opened->start, opened->end, HP_MAP_READY,
			       HP_REASON_NONE);
	}
	hp_lock_drop(&lock);
	return found;
}

/* [*start, @end) as far as one entry goes; false: none is left */
static bool next_piece(uintptr_t *start, uintptr_t end, struct hp_map *out)
{
	const struct hp_map *map = hp_maplist_find(*start);

	if (*start >= end || !map || map->start >= end)
		return false;
	*out = *map;
	out->start = hp_max(map->start, *start);
	out->end = hp_min(map->end, end);
	*start = out->end;
	return true;
}

void hp_record_turn(uintptr_t start, uintptr_t end, enum hp_map_kind kind,
		    bool fresh)
{
	struct hp_map p;

	if (!hp_lock_take(&lock))
		return;
	while (next_piece(&start, end, &p)) {
		bool stays = !fresh && p.reason == HP_REASON_PROGRAM_ADVICE;

		if (fresh || p.kind != HP_MAP_RESERVED)
			hp_maplist_set(p.start, p.end, kind,
				       stays ? p.reason : HP_REASON_NONE);
	}
	hp_lock_drop(&lock);
}

bool hp_record_in_hand(uintptr_t start, uintptr_t end)
{
	const struct hp_map *map;
	bool is;

	if (packs && hp_pack_near(start, end))
		return true;
	if (!hp_maplist_near(start, end) || !hp_lock_take(&lock))
		return false;
	map = map_of(start);
	is = map && map->end >= end && map->kind == HP_MAP_ADVISED;
	hp_lock_drop(&lock);
	return is;
}

bool hp_record_refuses(uintptr_t start, uintptr_t end)
{
	bool does = packs && hp_pack_refuses(start, end);
	struct hp_map p;

	if (does || !hp_maplist_near(start, end) || !hp_lock_take(&lock))
		return does;
	while (!does && next_piece(&start, end, &p))
		does = p.reason == HP_REASON_PROGRAM_ADVICE;
	hp_lock_drop(&lock);
	return does;
}

bool hp_record_set(uintptr_t start, uintptr_t end, enum hp_map_kind kind)
{
	if (in_slots(start) || in_slots(end - 1) || !hp_lock_take(&lock))
		return false;
	hp_maplist_set(start, end, kind, HP_REASON_NONE);
	hp_lock_drop(&lock);
	return true;
}

void *hp_record_pack(size_t len, struct hp_span *filled)
{
	void *addr;

	if (!packs || HP_READ_ONCE(packed_all) || !hp_lock_take(&lock))
		return NULL;
	addr = hp_pack_map(len, filled);
	hp_lock_drop(&lock);
	return addr;
}

/*
 * The lock of the heap is one nobody can do without: no handler may come, and
 * leave for good, while it is held. Behind a sandbox that call is not allowed.
 */
static void hold_handlers(struct hp_signals *before)
{
	*before = (struct hp_signals){0};
	if (!hp_heap.keep)
		hp_signals_block(before);
}

static void mark_heap(uintptr_t start, uintptr_t end, bool lasts,
		      enum hp_reason reason)
{
	struct hp_signals before;

	hold_handlers(&before);
	hp_mark(&hp_heap, start, end, lasts, reason);
	hp_signals_restore(&before);
}

void hp_record_pack_no_more(void)
{
	HP_WRITE_ONCE(packed_all, true);
}

static void overlaid(uintptr_t start, uintptr_t end, bool mapped)
{
	bool packed = packs && hp_pack_near(start, end);

	/* inside a block of the heap: until the block is freed */
	if (hp_slots_hold(&hp_heap.slots, (void *)start))
		mark_heap(start, end, true, HP_REASON_SPLIT);
	hp_sampling_unmap(start, end);
	if ((!packed && !hp_maplist_near(start, end)) || !hp_lock_take(&lock))
		return;
	if (packed && mapped)
		hp_pack_mapped(start, end);
	else if (packed)
		hp_pack_unmapped(start, end);
	hp_maplist_cut(start, end);
	hp_lock_drop(&lock);
}

void hp_record_mapped(uintptr_t start, uintptr_t end)
{
	overlaid(start, end, true);
}

void hp_record_unmapped(uintptr_t start, uintptr_t end)
{
	overlaid(start, end, false);
}

/* advice against huge pages counts before the memory is used, too */
static void note(uintptr_t start, uintptr_t end, enum hp_reason reason)
{
	struct hp_map p;

	while (next_piece(&start, end, &p))
		if (p.kind == HP_MAP_ADVISED ||
		    reason == HP_REASON_PROGRAM_ADVICE)
			hp_maplist_set(p.start, p.end, p.kind, reason);
}

void hp_record_changed(uintptr_t start, uintptr_t end, bool lasts,
		       enum hp_reason reason)
{
	if (hp_slots_hold(&hp_heap.slots, (void *)start))
		mark_heap(start, end, lasts, reason);
	if (!records || !hp_lock_take(&lock))
		return;
	if (packs && hp_pack_near(start, end))
		hp_pack_mark(start, end, reason);
	if (reason != HP_REASON_NONE)
		note(start, end, reason);
	hp_lock_drop(&lock);
}

void hp_record_locked(uintptr_t start, uintptr_t end)
{
	struct hp_signals before;

	if (!hp_slots_hold(&hp_heap.slots, (void *)start)) {
		hp_record_changed(start, end, true, HP_REASON_NONE);
		return;
	}
	hold_handlers(&before);
	hp_mark_locked(&hp_heap, start, end);
	hp_signals_restore(&before);
}

/* where the lock is out of reach nothing may be packed any more */
void hp_record_keep(void)
{
	if (!hp_lock_take(&lock)) {
		packs = false;
		return;
	}
	hp_pack_keep();
	hp_lock_drop(&lock);
}

void hp_record_fork_prepare(void)
{
	if (hp_lock_take_to_fork(&lock))
		hp_pack_fork_prepare();
}

void hp_record_fork_parent(void)
{
	if (!hp_lock_is_mine(&lock))
		return;
	hp_pack_fork_parent();
	hp_lock_drop(&lock);
}

void hp_record_fork_child(void)
{
	if (!hp_lock_is_mine(&lock))
		return;
	hp_pack_fork_child();
	hp_lock_reset(&lock);
}
