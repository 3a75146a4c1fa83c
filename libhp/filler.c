/* SPDX-License-Identifier: MIT */
#include "libhp/filler.h"

#include <sys/single_threaded.h>

#include "libhp/bloat.h"
#include "libhp/bound.h"
#include "libhp/grow.h"
#include "libhp/linux.h"
#include "libhp/mark.h"
#include "libhp/outgrow.h"
#include "libhp/shelf.h"
#include "libhp/stretch.h"

/* milliseconds a fork waits for one; a handler that forks waits for itself */
#define RELEASE_WAITS 1000

void hp_filler_lock(struct hp_filler *f)
{
	/* a heap has no other way to go: a holder that never drops it is a
	 * malloc interrupted by a signal handler that calls malloc */
	hp_lock_wait(&f->lock);
}

void hp_filler_unlock(struct hp_filler *f)
{
	hp_lock_drop(&f->lock);
}

/* rungs of a ladder that begins with thp never reach the pool */
static bool uses_pool(const struct hp_ladder *ladder)
{
	return ladder->n > 0 && ladder->rungs[0].hugetlb;
}

/* small pages by choice must not become huge where THP is "always" */
static int small_advice(const struct hp_pagesizes *ps)
{
	return ps->thp == HP_THP_ALWAYS || ps->thp == HP_THP_UNKNOWN
		       ? MADV_NOHUGEPAGE
		       : 0;
}

int hp_filler_init(struct hp_filler *f, const struct hp_options *opt,
		   const struct hp_pagesizes *ps, struct hp_start *start)
{
	size_t align = ps->pmd;

	hp_ladder_build(&f->ladder, opt, ps);
	f->pool = uses_pool(&f->ladder);
	if (f->pool)
		align = hp_max(align, f->ladder.rungs[0].size);
	f->bloat = opt->bloat;
	f->collapse = hp_pagesizes_thp_reason(ps) == HP_REASON_NONE;
	f->start = opt->mode == HP_MODE_OFF ? NULL : start;
	f->slots.options = opt;
	f->slots.advice =
		opt->mode == HP_MODE_OFF ? MADV_NOHUGEPAGE : small_advice(ps);
	f->small_advice = f->slots.advice;
	return hp_slots_init(&f->slots, ps->pmd, ps->base, align);
}

static uintptr_t page_addr(const struct hp_filler *f, unsigned int i,
			   unsigned int page)
{
	return hp_slots_addr(&f->slots, i) +
	       ((uintptr_t)page << f->slots.page_shift);
}

/*
 * Behind the last slot in use runs lie without a gap. Before it one may be left
 * that fits nobody, so once the bound is passed a slot there stays empty.
 */
static unsigned int choose_empty(const struct hp_filler *f)
{
	if (f->crosses && hp_bound_excess(f) > hp_bound_allowed(f))
		return f->slots.n - hp_slots_empty_tail(&f->slots);
	return hp_slots_find_empty(&f->slots, 1, 1);
}

/* free pages right before slot @i that a run may share with it */
static unsigned int room_before(const struct hp_filler *f, unsigned int i)
{
	unsigned int pages = f->slots.pages;
	const struct hp_slot *slot;

	if (i == 0)
		return 0;
	slot = hp_slots_at(&f->slots, i - 1);
	if (slot->state != hp_slots_at(&f->slots, i)->state ||
	    hp_runs_count(slot->map, pages - 1, 1) > 0)
		return 0;
	return hp_runs_around(slot->map, pages, pages - 1).len;
}

static uintptr_t take_empty(struct hp_filler *f, unsigned int pages,
			    unsigned int align, bool *clean)
{
	unsigned int i = choose_empty(f), before = 0;
	uintptr_t addr;

	if (i == f->slots.n)
		return 0;
	if (f->crosses && align == 1)
		before = room_before(f, i);
	addr = page_addr(f, i, 0) - ((uintptr_t)before << f->slots.page_shift);
	hp_stretch_place(f, addr, pages, clean);
	return addr;
}

static uintptr_t take_part(struct hp_filler *f, unsigned int pages,
			   unsigned int align, bool pool, bool *clean)
{
	struct hp_run run = {0, 0};
	unsigned int i = hp_shelf_choose(f, pages, align, &run);

	if (i == f->slots.n)
		return pool ? 0 : take_empty(f, pages, align, clean);
	*clean = hp_shelf_clean(f, i, run.first, pages);
	hp_shelf_place(f, i, run.first, pages);
	return page_addr(f, i, run.first);
}

static size_t whole_slots(const struct hp_filler *f, size_t pages)
{
	return (pages + f->slots.pages - 1) / f->slots.pages;
}

static size_t slot_align(const struct hp_filler *f, size_t align)
{
	return hp_max(align / f->slots.pages, 1);
}

static uintptr_t take_whole(struct hp_filler *f, size_t pages, size_t align,
			    bool *clean)
{
	size_t n = whole_slots(f, pages);
	unsigned int i;

	if (n > f->slots.n)
		return 0;
	i = hp_slots_find_empty(&f->slots, (unsigned int)n,
				slot_align(f, align));
	if (i == f->slots.n)
		return 0;
	hp_stretch_place(f, hp_slots_addr(&f->slots, i), pages, clean);
	return hp_slots_addr(&f->slots, i);
}

/* whole slots, admitted to the pool where it pays, then the rest given back */
static uintptr_t take_admitted(struct hp_filler *f, size_t pages, size_t align,
			       bool *clean)
{
	size_t n = whole_slots(f, pages);
	uintptr_t addr = take_whole(f, n * f->slots.pages, align, clean);
	unsigned int first;

	if (!addr)
		return 0;
	hp_filler_unlock(f);
	first = hp_slots_index(&f->slots, addr);
	for (unsigned int i = first; *clean && i < first + n; i++)
		hp_grow_admit(f, i);
	hp_filler_lock(f);
	if (n * f->slots.pages > pages)
		hp_stretch_unplace(f, addr + (pages << f->slots.page_shift),
				   n * f->slots.pages - pages, *clean);
	return addr;
}

static uintptr_t take_locked(struct hp_filler *f, size_t pages, size_t align,
			     bool pool, bool *clean)
{
	uintptr_t addr;

	pool = pool && f->pool && f->huge && !f->keep;
	if (pages <= f->slots.pages && align <= f->slots.pages) {
		addr = take_part(f, (unsigned int)pages, (unsigned int)align,
				 pool, clean);
		if (addr || !pool)
			return addr;
	}
	if (pool)
		return take_admitted(f, pages, align, clean);
	return take_whole(f, pages, align, clean);
}

static void *take(struct hp_filler *f, size_t pages, size_t align, bool pool,
		  bool *clean)
{
	unsigned int seen, refill;
	uintptr_t addr;

	do {
		hp_filler_lock(f);
		addr = take_locked(f, pages, align, pool, clean);
		seen = f->slots.n;
		refill = addr ? hp_bloat_choose_refill(f, addr) : seen;
		f->calls += addr != 0;
		hp_filler_unlock(f);
	} while (!addr &&
		 hp_grow(f, seen,
			 whole_slots(f, pages) + slot_align(f, align) - 1));
	if (HP_UNLIKELY(!addr && !HP_READ_ONCE(f->huge)))
		hp_outgrow_forget(f, pages);
	if (refill < seen)
		hp_bloat_refill(f, refill);
	return (void *)addr;
}

void *hp_filler_take(struct hp_filler *f, size_t pages, size_t align,
		     bool *clean)
{
	if (HP_UNLIKELY(!HP_READ_ONCE(f->huge)))
		hp_outgrow_note(f, pages);
	else if (HP_UNLIKELY(f->sparse))
		hp_outgrow_sparse(f);
	return take(f, pages, align, true, clean);
}

void *hp_filler_take_sparse(struct hp_filler *f, size_t pages, bool *clean)
{
	void *addr = take(f, pages, f->slots.pages, false, clean);

	if (addr)
		hp_outgrow_mark_sparse(f, (uintptr_t)addr, pages);
	return addr;
}

/* as far as the table reaches; what lies beyond it is free until mapped */
static bool free_so_far(struct hp_filler *f, uintptr_t at, uintptr_t end)
{
	bool free;

	hp_filler_lock(f);
	end = hp_min(end, f->slots.base + f->slots.bytes);
	free = at >= end ||
	       hp_stretch_is_free(f, at, (end - at) >> f->slots.page_shift);
	hp_filler_unlock(f);
	return free;
}

bool hp_filler_take_at(struct hp_filler *f, void *addr, size_t pages,
		       bool *clean)
{
	uintptr_t at = (uintptr_t)addr;
	uintptr_t end = at + (pages << f->slots.page_shift);
	bool free;

	if (at < f->slots.base || end < at || !free_so_far(f, at, end) ||
	    !hp_grow_reach(f, end))
		return false;
	if (HP_UNLIKELY(!HP_READ_ONCE(f->huge)))
		hp_outgrow_note(f, pages);
	hp_filler_lock(f);
	free = hp_stretch_is_free(f, at, pages);
	if (free)
		hp_stretch_place(f, at, pages, clean);
	hp_filler_unlock(f);
	if (HP_UNLIKELY(!free && !HP_READ_ONCE(f->huge)))
		hp_outgrow_forget(f, pages);
	return free;
}

static void give(struct hp_filler *f, void *addr, size_t pages, bool clean)
{
	bool release;

	if (HP_UNLIKELY(f->watch != NULL))
		f->watch(f, pages);
	if (HP_UNLIKELY(!HP_READ_ONCE(f->huge)))
		hp_outgrow_forget(f, pages);
	/* better a lost run than one that kills its next owner */
	if (HP_UNLIKELY(HP_READ_ONCE(f->marked)) &&
	    hp_mark_undo(f, (uintptr_t)addr, pages) < 0)
		return;
	hp_filler_lock(f);
	hp_stretch_unplace(f, (uintptr_t)addr, pages, clean);
	release = hp_bound_exceeded(f) && !f->releasing;
	hp_filler_unlock(f);
	if (release)
		hp_bloat_release(f);
	if (HP_UNLIKELY(HP_READ_ONCE(f->marked)))
		hp_bloat_restore(f, (uintptr_t)addr, pages);
}

void hp_filler_give(struct hp_filler *f, void *addr, size_t pages)
{
	give(f, addr, pages, false);
}

void hp_filler_give_clean(struct hp_filler *f, void *addr, size_t pages)
{
	give(f, addr, pages, true);
}

/* what a release has claimed would be lost to the child */
static void wait_for_release(struct hp_filler *f)
{
	const uint32_t never = 0;
	int waits = __libc_single_threaded ? 0 : RELEASE_WAITS;

	f->forking = true;
	for (; waits > 0 && (f->releasing || f->restoring); waits--) {
		hp_filler_unlock(f);
		hp_linux_futex_wait(&never, 0, 1);
		hp_lock_wait_to_fork(&f->lock);
	}
}

void hp_filler_fork_prepare(struct hp_filler *f)
{
	hp_lock_wait_to_fork(&f->grow);
	hp_lock_wait_to_fork(&f->lock);
	wait_for_release(f);
}

void hp_filler_fork_parent(struct hp_filler *f)
{
	f->forking = false;
	hp_filler_unlock(f);
	hp_lock_drop(&f->grow);
}

void hp_filler_fork_child(struct hp_filler *f)
{
	f->releasing = f->forking = false;
	f->restoring = 0;
	hp_share_forked();
	hp_lock_reset(&f->lock);
	hp_lock_reset(&f->grow);
}
