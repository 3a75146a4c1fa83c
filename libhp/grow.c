/* SPDX-License-Identifier: MIT */
#include "libhp/grow.h"

#include <sys/mman.h>

#include "libhp/admit.h"

/* a foreign mapping is stepped over in strides that double this many times */
#define STEPS_OVER 20

/* slots mapped ahead of need, at most: they cost address space, not memory */
#define AHEAD_MAX 32

static unsigned int ahead(const struct hp_filler *f)
{
	if (f->exact || f->pool)
		return 0;
	return (unsigned int)hp_min(f->slots.n / 8, AHEAD_MAX);
}

static int add_slots(struct hp_filler *f, unsigned int n,
		     enum hp_slot_state state, enum hp_reason reason)
{
	int ret;

	hp_filler_lock(f);
	ret = hp_slots_add(&f->slots, n, state);
	for (unsigned int i = f->slots.n - n; ret == 0 && i < f->slots.n; i++)
		hp_slots_at(&f->slots, i)->reason = (uint8_t)reason;
	hp_filler_unlock(f);
	return ret;
}

static int map_more(struct hp_filler *f, unsigned int n)
{
	bool extends;

	hp_filler_lock(f);
	extends = hp_slots_extendable(&f->slots);
	f->slots.locked = f->exact;
	hp_filler_unlock(f);
	return hp_slots_map(&f->slots, n, extends);
}

/* past whatever lies in the way, which enters the table as alien */
static int map_past(struct hp_filler *f, unsigned int n)
{
	int ret = map_more(f, n);

	for (int i = 0; i < STEPS_OVER && ret == -EEXIST; i++) {
		ret = add_slots(f, 1u << i, HP_SLOT_ALIEN, HP_REASON_NONE);
		if (ret == 0)
			ret = map_more(f, n);
	}
	return ret;
}

static bool is_affordable(const struct hp_filler *f, unsigned int n)
{
	return !f->start || f->pool ||
	       hp_share_affords(f->start, (uint64_t)n << f->slots.slot_shift);
}

/*
 * n more slots would be more than the memory cgroup can pay if every page of
 * them is huge. Once poor is poor for good: what advice a slot gets when it is
 * mapped anew is that of the table.
 */
static bool is_poor(const struct hp_filler *f, unsigned int n)
{
	return f->huge && !f->keep &&
	       (f->slots.advice != MADV_HUGEPAGE || !is_affordable(f, n));
}

static int add_mapped(struct hp_filler *f, unsigned int n, bool poor)
{
	if (!f->huge || poor)
		return add_slots(f, n, HP_SLOT_SMALL,
				 poor ? HP_REASON_MEMCG : HP_REASON_NONE);
	if (f->start)
		__atomic_fetch_add(&f->start->slots,
				   (uint64_t)n << f->slots.slot_shift,
				   __ATOMIC_RELAXED);
	return add_slots(f, n, HP_SLOT_THP, HP_REASON_NONE);
}

static int map_slots(struct hp_filler *f, unsigned int n)
{
	bool poor = is_poor(f, n);
	unsigned int more = is_affordable(f, n + ahead(f)) ? ahead(f) : 0;
	int ret;

	if (poor)
		f->slots.advice = f->small_advice;
	ret = map_past(f, n + more);
	if (ret < 0 && more > 0) {
		more = 0;
		ret = map_past(f, n);
	}
	if (ret < 0)
		return ret;
	return add_mapped(f, n + more, poor);
}

/* one page under many slots goes back as one or not at all */
static void mark_giant(struct hp_filler *f, unsigned int first, bool got,
		       enum hp_reason reason)
{
	hp_filler_lock(f);
	for (unsigned int i = first; i < f->slots.n; i++) {
		struct hp_slot *slot = hp_slots_at(&f->slots, i);

		slot->flags |= got ? HP_SLOT_GIANT : 0;
		slot->reason = (uint8_t)reason;
	}
	hp_filler_unlock(f);
}

/* rungs above the slot size (1G) span many slots: taken while growing */
static bool map_giant(struct hp_filler *f)
{
	size_t size = f->ladder.n ? f->ladder.rungs[0].size : 0;
	unsigned int n = (unsigned int)(size >> f->slots.slot_shift);
	enum hp_reason reason = HP_REASON_NONE;
	uintptr_t end = f->slots.base + f->slots.bytes;
	unsigned int pad;
	bool got;

	if (!f->huge || f->keep || n < 2 || !f->ladder.rungs[0].hugetlb ||
	    f->ladder.rungs[0].wait > 0)
		return false;
	pad = (unsigned int)((hp_align_up(end, size) - end) >>
			     f->slots.slot_shift);
	if (pad > 0 && map_slots(f, pad) < 0)
		return false;
	end = f->slots.base + f->slots.bytes;
	/* with something in the way there is no telling where one would be */
	if (!hp_is_aligned(end, size) || map_more(f, n) < 0)
		return false;
	got = hp_admit(&f->slots, &f->ladder, end, size, &reason);
	if (add_slots(f, n, got ? HP_SLOT_HUGETLB : HP_SLOT_THP, reason) < 0)
		return false;
	mark_giant(f, f->slots.n - n, got, reason);
	return true;
}

static void grow_lock(struct hp_filler *f)
{
	hp_lock_wait(&f->grow);
}

bool hp_grow(struct hp_filler *f, unsigned int seen, size_t n)
{
	unsigned int tail;
	bool grown;

	if (n >= HP_SLOT_BLOCKS * HP_SLOTS_PER_BLOCK)
		return false;
	grow_lock(f);
	hp_filler_lock(f);
	tail = hp_slots_empty_tail(&f->slots);
	hp_filler_unlock(f);
	if (f->slots.n != seen)
		grown = true;
	else if (n > tail && map_giant(f))
		grown = true;
	else
		grown = map_slots(f, (unsigned int)(n > tail ? n - tail : 1)) ==
			0;
	hp_lock_drop(&f->grow);
	return grown;
}

bool hp_grow_reach(struct hp_filler *f, uintptr_t end)
{
	uintptr_t now;
	size_t missing;

	if (f->pool || f->slots.n == 0)
		return end <= f->slots.base + f->slots.bytes;
	grow_lock(f);
	now = f->slots.base + f->slots.bytes;
	missing = end > now ? (end - now - 1) / f->slots.slot + 1 : 0;
	if (missing > 0 && missing < HP_SLOT_BLOCKS &&
	    map_slots(f, (unsigned int)missing) == 0)
		now = end;
	hp_lock_drop(&f->grow);
	return end <= now;
}

void hp_grow_admit(struct hp_filler *f, unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);
	enum hp_reason reason = HP_REASON_NONE;
	bool got;

	if (slot->state != HP_SLOT_THP || slot->dirty < f->slots.pages)
		return;
	grow_lock(f);
	got = hp_admit(&f->slots, &f->ladder, hp_slots_addr(&f->slots, i),
		       f->slots.slot, &reason);
	hp_filler_lock(f);
	slot->state = got ? HP_SLOT_HUGETLB : HP_SLOT_THP;
	slot->reason = (uint8_t)reason;
	hp_filler_unlock(f);
	/* fork waits for this lock: no pool page unseen by it */
	hp_lock_drop(&f->grow);
}

/*
 * The last slot is what growth will extend: it must be ordinary memory, still
 * unused, and already advised.
 */
void hp_filler_seal(struct hp_filler *f)
{
	grow_lock(f);
	if (f->start && f->collapse && !f->keep && (f->pool || !f->huge)) {
		struct hp_slot *last =
			f->slots.n ? hp_slots_at(&f->slots, f->slots.n - 1)
				   : NULL;

		/* not to be extended, as a pool page never is */
		if (last && last->state != HP_SLOT_HUGETLB)
			last->flags |= HP_SLOT_ADVICE;
		f->slots.advice = MADV_HUGEPAGE;
		HP_WRITE_ONCE(f->huge, true);
		if (map_more(f, 1) == 0)
			(void)!add_slots(f, 1, HP_SLOT_THP, HP_REASON_NONE);
	}
	if (f->start)
		hp_share_keep(f->start);
	f->keep = true;
	f->slots.sealed = true;
	hp_lock_drop(&f->grow);
}
