/* SPDX-License-Identifier: MIT */
#include "libhp/demote.h"

#include <string.h>

#include "libhp/alone.h"
#include "libhp/linux.h"
#include "libhp/part.h"
#include "libhp/runs.h"
#include "libhp/signals.h"
#include "libhp/stats.h"

/* moved at a time: a limit on address space may leave no room for all */
#define STEP_SLOTS 16

#define STACK_SIZE (16 * HP_KIB)

static void *slot_addr(const struct hp_filler *f, unsigned int i)
{
	return (void *)hp_slots_addr(&f->slots, i);
}

bool hp_demote_is_pool(const struct hp_filler *f, unsigned int i)
{
	const struct hp_slot *slot = hp_slots_at(&f->slots, i);

	return slot->state == HP_SLOT_HUGETLB &&
	       !(slot->flags & HP_SLOT_ADVICE);
}

unsigned int hp_demote_run(const struct hp_filler *f, unsigned int first)
{
	unsigned int end = first;

	while (end < f->slots.n && hp_demote_is_pool(f, end))
		end++;
	return end - first;
}

static long map_anywhere(size_t len)
{
	return hp_linux_map(NULL, len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static uintptr_t map_aligned(size_t len, size_t align)
{
	long ret = map_anywhere(len + align);
	uintptr_t start;

	if (hp_linux_failed(ret))
		return 0;
	start = hp_align_up((uintptr_t)ret, align);
	if (start > (uintptr_t)ret)
		hp_linux_unmap((void *)ret, start - (uintptr_t)ret);
	hp_linux_unmap((void *)(start + len), (uintptr_t)ret + align - start);
	return start;
}

/* where room is short, on small pages wherever they fit */
char *hp_demote_room(const struct hp_filler *f, unsigned int n)
{
	size_t len = (size_t)n << f->slots.slot_shift;
	uintptr_t start = map_aligned(len, f->slots.slot);
	long ret;

	if (!start) {
		ret = map_anywhere(len);
		return hp_linux_failed(ret) ? NULL : (char *)ret;
	}
	if (f->collapse)
		hp_linux_advise((void *)start, len, MADV_HUGEPAGE);
	return (char *)start;
}

static void copy_slot(const struct hp_filler *f, unsigned int i, char *to)
{
	const struct hp_slot *slot = hp_slots_at(&f->slots, i);
	unsigned int pages = f->slots.pages, shift = f->slots.page_shift;
	unsigned int first = hp_runs_next_set(slot->map, pages, 0);
	const char *from = slot_addr(f, i);

	while (first < pages) {
		unsigned int end = hp_runs_next_clear(slot->map, pages, first);
		size_t at = (size_t)first << shift;

		memcpy(to + at, from + at, (size_t)(end - first) << shift);
		first = hp_runs_next_set(slot->map, pages, end);
	}
}

void hp_demote_copy(const struct hp_filler *f, unsigned int i, unsigned int n,
		    char *to)
{
	for (; n > 0; n--, i++, to += f->slots.slot)
		copy_slot(f, i, to);
}

/* the copy takes the place of the pool page, or of the hole in the child */
static int move_in(char *copy, size_t len, void *to)
{
	long ret = hp_linux_remap(copy, len, len, MREMAP_MAYMOVE | MREMAP_FIXED,
				  to);

	if (!hp_linux_failed(ret))
		return 0;
	/* the most mappings there may be (vm.max_map_count), for instance */
	ret = hp_linux_map(to, len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (!hp_linux_failed(ret))
		memcpy(to, copy, len);
	hp_linux_unmap(copy, len);
	return hp_linux_failed(ret) ? (int)ret : 0;
}

static void note_demoted(struct hp_filler *f, unsigned int i,
			 enum hp_reason reason)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);

	slot->state = HP_SLOT_THP;
	slot->reason = (uint8_t)reason;
	slot->flags &= (uint8_t)~HP_SLOT_GIANT;
	hp_stats_count(HP_EVENT_DEMOTED);
}

void hp_demote_move(struct hp_filler *f, unsigned int i, unsigned int n,
		    char *copy, enum hp_reason reason)
{
	if (move_in(copy, (size_t)n << f->slots.slot_shift, slot_addr(f, i)) <
	    0)
		return;
	for (; n > 0; n--)
		note_demoted(f, i++, reason);
}

/* part of a hugetlb page that spans slots, and so only to be moved whole */
static bool has_giant(const struct hp_filler *f, unsigned int i, unsigned int n)
{
	for (; n > 0; n--, i++)
		if (hp_slots_at(&f->slots, i)->flags & HP_SLOT_GIANT)
			return true;
	return false;
}

/* the next of slots [@i, @end) that are moved together; 0: @i is not moved */
static unsigned int next_step(const struct hp_filler *f, unsigned int i,
			      unsigned int end)
{
	unsigned int n = hp_demote_run(f, i);

	if (has_giant(f, i, n))
		return n;
	return hp_min(hp_min(n, end - i), STEP_SLOTS);
}

static void move_over(struct hp_filler *f, unsigned int i, unsigned int end,
		      enum hp_reason reason)
{
	unsigned int n;

	for (; i < end; i += hp_max(n, 1)) {
		char *copy;

		n = next_step(f, i, end);
		copy = n > 0 ? hp_demote_room(f, n) : NULL;
		if (!copy)
			continue;
		hp_demote_copy(f, i, n, copy);
		hp_demote_move(f, i, n, copy, reason);
	}
}

void hp_demote_apart(const struct hp_filler *f, hp_altstack_fn fn, void *arg)
{
	static struct hp_altstack stack;

	if (!stack.top && !f->keep)
		hp_altstack_open(&stack, STACK_SIZE);
	if (f->keep)
		hp_altstack_keep(&stack);
	(void)hp_altstack_run(&stack, fn, arg);
}

/* what is done on the other stack */
struct task {
	struct hp_filler *f;
	unsigned int first, end; /* slots */
	enum hp_reason reason;
	char *copy;
};

static void move_task(void *arg)
{
	const struct task *t = arg;

	move_over(t->f, t->first, t->end, t->reason);
}

void hp_demote_all(struct hp_filler *f)
{
	struct task t = {f, 0, f->slots.n, HP_REASON_AFTER_FORK, NULL};

	hp_demote_apart(f, move_task, &t);
}

/* small pages, none of them there yet, for the pages in use alone */
static char *bare_room(const struct hp_filler *f)
{
	size_t len = f->slots.slot;
	uintptr_t start = map_aligned(len, len);

	if (start && f->huge)
		hp_linux_advise((void *)start, len, MADV_NOHUGEPAGE);
	return (char *)start;
}

static void slot_task(void *arg)
{
	const struct task *t = arg;

	copy_slot(t->f, t->first, t->copy);
	hp_demote_move(t->f, t->first, 1, t->copy, t->reason);
}

int hp_demote_slot(struct hp_filler *f, unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);
	struct task t = {f, i, i + 1, HP_REASON_RELEASED, bare_room(f)};

	if (!t.copy)
		return -ENOMEM;
	hp_demote_apart(f, slot_task, &t);
	if (slot->state == HP_SLOT_HUGETLB)
		return -ENOMEM;
	memcpy(hp_slot_dirty_map(&f->slots, slot), slot->map,
	       f->slots.words * sizeof(slot->map[0]));
	slot->dirty = slot->used;
	return 0;
}

bool hp_demote_held(const struct hp_filler *f, uintptr_t addr, uintptr_t end)
{
	struct hp_part p;

	while (hp_part_next(&f->slots, &addr, end, &p))
		if (hp_part_slot(&f->slots, &p)->state == HP_SLOT_HUGETLB)
			return true;
	return false;
}

/* all of a larger page: what is moved with slot @i begins here */
static unsigned int run_start(const struct hp_filler *f, unsigned int i)
{
	if (!(hp_slots_at(&f->slots, i)->flags & HP_SLOT_GIANT))
		return i;
	while (i > 0 && hp_demote_is_pool(f, i - 1))
		i--;
	return i;
}

static void move_range(struct hp_filler *f, uintptr_t addr, uintptr_t end)
{
	struct task t = {f, run_start(f, hp_slots_index(&f->slots, addr)),
			 hp_slots_index(&f->slots, end - 1) + 1,
			 HP_REASON_SPLIT, NULL};

	hp_demote_apart(f, move_task, &t);
}

bool hp_demote_range(struct hp_filler *f, uintptr_t addr, uintptr_t end)
{
	struct hp_signals before;
	bool gone;

	if (f->keep || !hp_alone())
		return false;
	hp_signals_block(&before);
	/* false: this interrupted the holder, whose changes are half-done */
	gone = hp_lock_take(&f->lock);
	if (gone) {
		uintptr_t last = hp_min(end, f->slots.base + f->slots.bytes);

		addr = hp_max(addr, f->slots.base);
		if (addr < last)
			move_range(f, addr, last);
		gone = !hp_demote_held(f, addr, end);
		hp_filler_unlock(f);
	}
	hp_signals_restore(&before);
	return gone;
}
