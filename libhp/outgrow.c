/* SPDX-License-Identifier: MIT */
#include "libhp/outgrow.h"

#include "libhp/bloat.h"
#include "libhp/linux.h"
#include "libhp/shelf.h"

/* pages in use beyond which an allocator's tables have filled their slots */
#define SPARSE_UNTIL(f) ((uint64_t)32 * (f)->slots.pages)

/*
 * A request that fails makes no process large, and after it there is no way
 * back. So it is tried, once in the life of a process; not where all that is
 * mapped is filled at once (mlockall).
 */
static bool can_be_had(const struct hp_filler *f, size_t pages)
{
	size_t len = pages << f->slots.page_shift;
	long ret;

	if (pages / f->slots.pages >= HP_SLOT_BLOCKS * HP_SLOTS_PER_BLOCK)
		return false;
	if (f->keep || f->exact)
		return true;
	ret = hp_linux_map(NULL, len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hp_linux_failed(ret))
		return false;
	hp_linux_unmap((void *)ret, len);
	return true;
}

void hp_outgrow_note(struct hp_filler *f, size_t pages)
{
	struct hp_start *start = f->start;
	uint64_t bytes = (uint64_t)pages << f->slots.page_shift;

	if (!start)
		return;
	bytes = __atomic_add_fetch(&start->bytes, bytes, __ATOMIC_RELAXED);
	if (bytes > start->threshold && !HP_READ_ONCE(start->passed) &&
	    can_be_had(f, pages))
		HP_WRITE_ONCE(start->passed, true);
	if (HP_READ_ONCE(start->passed))
		hp_outgrow_now(f);
}

void hp_outgrow_forget(struct hp_filler *f, size_t pages)
{
	if (f->start)
		__atomic_sub_fetch(&f->start->bytes,
				   (uint64_t)pages << f->slots.page_shift,
				   __ATOMIC_RELAXED);
}

/* what is in use is small pages: as if it had been broken up */
static void turn_over(struct hp_filler *f, bool sparse)
{
	for (unsigned int i = 0; i < f->slots.n; i++) {
		struct hp_slot *slot = hp_slots_at(&f->slots, i);

		if (slot->state != HP_SLOT_SMALL ||
		    !(slot->flags & HP_SLOT_SPARSE) != !sparse)
			continue;
		slot->state = HP_SLOT_THP;
		if (f->start)
			__atomic_fetch_add(&f->start->slots, f->slots.slot,
					   __ATOMIC_RELAXED);
		slot->flags &= (uint8_t)~HP_SLOT_SPARSE;
		if (!(slot->flags & HP_SLOT_TOUCHED))
			continue;
		f->broken += !(slot->flags & HP_SLOT_BROKEN);
		slot->flags |= HP_SLOT_BROKEN;
	}
}

static bool is_small(const struct hp_filler *f, unsigned int i, bool sparse)
{
	const struct hp_slot *slot = hp_slots_at(&f->slots, i);

	return slot->state == HP_SLOT_SMALL &&
	       !(slot->flags & HP_SLOT_SPARSE) == !sparse;
}

/* one call for each run of such slots */
static void advise_small(struct hp_filler *f, bool sparse)
{
	unsigned int end;

	for (unsigned int i = 0; i < f->slots.n; i = end) {
		end = i + 1;
		if (!is_small(f, i, sparse))
			continue;
		while (end < f->slots.n && is_small(f, end, sparse))
			end++;
		hp_linux_advise((void *)hp_slots_addr(&f->slots, i),
				(size_t)(end - i) << f->slots.slot_shift,
				MADV_HUGEPAGE);
	}
}

static bool wants_collapse(struct hp_filler *f, unsigned int i)
{
	bool wants;

	hp_filler_lock(f);
	wants = hp_slots_at(&f->slots, i)->flags & HP_SLOT_BROKEN;
	hp_filler_unlock(f);
	return wants;
}

static void collapse_all(struct hp_filler *f, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		if (wants_collapse(f, i))
			hp_bloat_refill(f, i);
}

void hp_outgrow_now(struct hp_filler *f)
{
	unsigned int n;

	/* a sandbox that forbids madvise: growth inherits what is there */
	if (f->keep)
		return;
	hp_lock_wait(&f->grow);
	n = f->huge ? 0 : f->slots.n;
	if (!f->huge) {
		f->slots.advice = MADV_HUGEPAGE;
		advise_small(f, false);
		hp_filler_lock(f);
		turn_over(f, false);
		HP_WRITE_ONCE(f->huge, true);
		hp_filler_unlock(f);
	}
	hp_lock_drop(&f->grow);
	collapse_all(f, n);
}

/* without the flag the kernel would make them huge at the first touch */
void hp_outgrow_mark_sparse(struct hp_filler *f, uintptr_t addr, size_t pages)
{
	unsigned int first = hp_slots_index(&f->slots, addr);
	size_t n = pages / f->slots.pages;

	if (f->used > SPARSE_UNTIL(f) || f->keep)
		return;
	if (f->huge)
		hp_linux_advise((void *)addr, n << f->slots.slot_shift,
				MADV_NOHUGEPAGE);
	hp_filler_lock(f);
	for (unsigned int i = first; i < first + n; i++) {
		struct hp_slot *slot = hp_slots_at(&f->slots, i);

		if (slot->state == HP_SLOT_HUGETLB)
			continue; /* a pool page from its last use */
		f->resident -= hp_shelf_resident(f, slot);
		slot->state = HP_SLOT_SMALL;
		slot->flags |= HP_SLOT_SPARSE;
		f->resident += hp_shelf_resident(f, slot);
	}
	f->sparse = true;
	hp_filler_unlock(f);
}

void hp_outgrow_sparse(struct hp_filler *f)
{
	/* where slots are small again for want of memory, tables stay so too */
	if (f->used <= SPARSE_UNTIL(f) || f->keep ||
	    f->slots.advice != MADV_HUGEPAGE)
		return;
	hp_lock_wait(&f->grow);
	f->sparse = false;
	advise_small(f, true);
	hp_filler_lock(f);
	turn_over(f, true);
	hp_filler_unlock(f);
	hp_lock_drop(&f->grow);
	collapse_all(f, f->slots.n);
}
