/* SPDX-License-Identifier: MIT */
#include "libhp/bloat.h"

#include <string.h>
#include <sys/uio.h>

#include "libhp/alone.h"
#include "libhp/bound.h"
#include "libhp/demote.h"
#include "libhp/gate.h"
#include "libhp/linux.h"
#include "libhp/shelf.h"

/* broken slots are mappings of their own; so many at most (max_map_count) */
#define BROKEN_MAX 4096

static void *slot_addr(const struct hp_filler *f, unsigned int i)
{
	return (void *)hp_slots_addr(&f->slots, i);
}

static int drop_slot(struct hp_filler *f, struct hp_slot *slot, void *addr)
{
	int ret;

	if (slot->state == HP_SLOT_HUGETLB || slot->flags & HP_SLOT_ADVICE)
		return hp_slots_map_anew(&f->slots, (uintptr_t)addr,
					 f->slots.slot, f->slots.advice);
	ret = hp_linux_advise(addr, f->slots.slot, MADV_DONTNEED);
	if (slot->flags & HP_SLOT_BROKEN && f->slots.advice)
		hp_linux_advise(addr, f->slots.slot, f->slots.advice);
	return ret;
}

/* claim an empty slot, so that nobody uses it, and give its memory back */
static void release_slot(struct hp_filler *f, unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);
	int ret;

	hp_shelf_place(f, i, 0, f->slots.pages);
	hp_filler_unlock(f);
	ret = drop_slot(f, slot, slot_addr(f, i));
	hp_filler_lock(f);
	if (ret == 0 && slot->state == HP_SLOT_HUGETLB)
		slot->state = HP_SLOT_THP;
	if (ret < 0)
		slot->flags |= HP_SLOT_PINNED;
	hp_shelf_unplace(f, i, 0, f->slots.pages, ret == 0);
	if (ret == 0)
		hp_stats_count(HP_EVENT_RELEASED);
}

static bool releasable(const struct hp_filler *f, unsigned int i)
{
	const struct hp_slot *slot = hp_slots_at(&f->slots, i);

	return hp_slots_is_empty(&f->slots, i) &&
	       !(slot->flags & (HP_SLOT_GIANT | HP_SLOT_PINNED)) &&
	       hp_shelf_resident(f, slot) > 0;
}

static void release_empty(struct hp_filler *f, uint64_t allow)
{
	for (unsigned int i = f->slots.n;
	     i-- > 0 && hp_bound_excess(f) > allow;)
		if (releasable(f, i))
			release_slot(f, i);
}

static void release_changed(struct hp_filler *f, uintptr_t addr, uintptr_t end)
{
	for (unsigned int i = hp_slots_index(&f->slots, addr);
	     i < f->slots.n && hp_slots_addr(&f->slots, i) < end; i++)
		if (hp_slots_is_empty(&f->slots, i) &&
		    hp_slots_at(&f->slots, i)->flags & HP_SLOT_ADVICE)
			release_slot(f, i);
}

/* during a fork left for a later time: the child would miss what is claimed */
void hp_bloat_restore(struct hp_filler *f, uintptr_t addr, size_t pages)
{
	uintptr_t end = addr + (pages << f->slots.page_shift);

	hp_gate_enter();
	hp_filler_lock(f);
	if (!f->keep && !f->forking) {
		f->restoring++;
		release_changed(f, addr, end);
		f->restoring--;
	}
	hp_filler_unlock(f);
	hp_gate_leave();
}

typedef void (*run_fn)(struct hp_filler *f, unsigned int i, unsigned int first,
		       unsigned int len);

/* the clear stretches of @map, a copy, as the slot's own changes meanwhile */
static void each_run(struct hp_filler *f, unsigned int i, const uint64_t *map,
		     run_fn fn)
{
	unsigned int pages = f->slots.pages;
	unsigned int first = hp_runs_next_clear(map, pages, 0);

	while (first < pages) {
		unsigned int end = hp_runs_next_set(map, pages, first);

		fn(f, i, first, end - first);
		first = hp_runs_next_clear(map, pages, end);
	}
}

static void claim(struct hp_filler *f, unsigned int i, unsigned int first,
		  unsigned int len)
{
	hp_shelf_place(f, i, first, len);
}

static void unclaim_gone(struct hp_filler *f, unsigned int i,
			 unsigned int first, unsigned int len)
{
	hp_shelf_unplace(f, i, first, len, true);
}

static void unclaim_kept(struct hp_filler *f, unsigned int i,
			 unsigned int first, unsigned int len)
{
	hp_shelf_unplace(f, i, first, len, false);
}

/* one call for many runs where the kernel has it, a call a run elsewhere */
static int drop_ranges(const struct iovec *ranges, size_t n, size_t bytes)
{
	int ret = 0;

	if (hp_linux_advise_many(ranges, n, MADV_DONTNEED) == (ssize_t)bytes)
		return 0;
	for (size_t i = 0; i < n && ret == 0; i++)
		ret = hp_linux_advise(ranges[i].iov_base, ranges[i].iov_len,
				      MADV_DONTNEED);
	return ret;
}

static int drop_runs(struct hp_filler *f, unsigned int i)
{
	struct iovec *ranges = f->gaps.ranges;
	const uint64_t *map = f->gaps.map;
	unsigned int pages = f->slots.pages, shift = f->slots.page_shift;
	unsigned int first = hp_runs_next_clear(map, pages, 0);
	size_t n = 0, bytes = 0;
	int ret = 0;

	while (first < pages && ret == 0) {
		unsigned int end = hp_runs_next_set(map, pages, first);

		ranges[n].iov_base =
			(char *)slot_addr(f, i) + ((size_t)first << shift);
		ranges[n].iov_len = (size_t)(end - first) << shift;
		bytes += ranges[n++].iov_len;
		first = hp_runs_next_clear(map, pages, end);
		if (n == HP_FILLER_RANGES || first >= pages) {
			ret = drop_ranges(ranges, n, bytes);
			n = bytes = 0;
		}
	}
	return ret;
}

static void mark_broken(struct hp_filler *f, struct hp_slot *slot)
{
	unsigned int before = hp_shelf_resident(f, slot);

	if (!(slot->flags & HP_SLOT_BROKEN)) {
		hp_stats_count(HP_EVENT_BROKEN);
		f->broken++;
	}
	slot->flags |= HP_SLOT_BROKEN;
	/* what the memory cgroup cannot pay will not be mended either */
	if (slot->reason != HP_REASON_MEMCG)
		slot->reason = HP_REASON_RELEASED;
	f->resident += hp_shelf_resident(f, slot);
	f->resident -= before;
}

/*
 * khugepaged would refill the holes (max_ptes_none is 511 by default), so a
 * broken slot is taken out of its sight until it is full again. Locked pages
 * stay: then nothing is known to be clean, and the slot is left alone.
 */
static void break_slot(struct hp_filler *f, unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);
	uint64_t *map = f->gaps.map;
	int ret;

	memcpy(map, slot->map, f->slots.words * sizeof(map[0]));
	each_run(f, i, map, claim);
	hp_filler_unlock(f);
	ret = drop_runs(f, i);
	if (ret == 0 && f->huge)
		hp_linux_advise(slot_addr(f, i), f->slots.slot,
				MADV_NOHUGEPAGE);
	hp_filler_lock(f);
	if (ret == 0)
		mark_broken(f, slot);
	else
		slot->flags |= HP_SLOT_PINNED;
	each_run(f, i, map, ret == 0 ? unclaim_gone : unclaim_kept);
}

/* a pool page goes back as a whole, once its pages in use are elsewhere */
static void break_pool(struct hp_filler *f, unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);

	if (hp_demote_slot(f, i) == 0)
		mark_broken(f, slot);
	else
		slot->flags |= HP_SLOT_PINNED;
}

static bool may_demote(const struct hp_filler *f, unsigned int i)
{
	return hp_demote_is_pool(f, i) &&
	       !(hp_slots_at(&f->slots, i)->flags & HP_SLOT_GIANT);
}

static bool breakable(const struct hp_filler *f, unsigned int i,
		      unsigned int quarter)
{
	const struct hp_slot *slot = hp_slots_at(&f->slots, i);

	return slot->list != HP_SLOT_UNLISTED &&
	       !(slot->flags & HP_SLOT_PINNED) &&
	       slot->used * 4 <= f->slots.pages * quarter &&
	       hp_shelf_resident(f, slot) > slot->used;
}

/*
 * The sparsest first. Below what is allowed, so that a program that goes on
 * freeing does not come back here at once; but a slot that is mostly in use is
 * broken only as far as the bound demands. Those on pool pages only while
 * nobody can write to them meanwhile.
 */
static void release_sparse(struct hp_filler *f,
			   const struct hp_bound_target *to)
{
	bool alone = f->pool && hp_alone();

	for (unsigned int quarter = 1; quarter <= 4; quarter++)
		for (unsigned int i = f->slots.n; i-- > 0;) {
			uint64_t stays = quarter < 4 ? to->low : to->allowed;

			if (hp_bound_excess(f) <= stays ||
			    f->broken >= BROKEN_MAX)
				return;
			if (!breakable(f, i, quarter))
				continue;
			if (hp_slots_at(&f->slots, i)->state != HP_SLOT_HUGETLB)
				break_slot(f, i);
			else if (alone && may_demote(f, i))
				break_pool(f, i);
		}
}

bool hp_bloat_begin(struct hp_filler *f)
{
	if (f->releasing || f->forking)
		return false;
	f->releasing = true;
	return true;
}

void hp_bloat_release(struct hp_filler *f)
{
	struct hp_bound_target to;

	hp_gate_enter();
	hp_filler_lock(f);
	if (!f->keep && hp_bloat_begin(f)) {
		if (hp_bound_due(f, &to)) {
			release_empty(f, to.allowed);
			if (hp_bound_excess(f) > to.allowed)
				release_sparse(f, &to);
			hp_bound_released(f);
		}
		hp_bound_wait(f);
		f->releasing = false;
	}
	hp_filler_unlock(f);
	hp_gate_leave();
}

void hp_bloat_trim(struct hp_filler *f)
{
	hp_gate_enter();
	hp_filler_lock(f);
	if (!f->keep && hp_bloat_begin(f)) {
		struct hp_bound_target to = {.allowed = hp_bound_allowed(f)};

		to.low = to.allowed / 2;
		release_empty(f, 0);
		if (hp_bound_excess(f) > to.allowed)
			release_sparse(f, &to);
		f->releasing = false;
	}
	hp_filler_unlock(f);
	hp_gate_leave();
}
