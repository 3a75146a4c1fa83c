/* SPDX-License-Identifier: MIT */
#include "libhp/fork.h"

#include <string.h>

#include "libhp/linux.h"
#include "libhp/runs.h"
#include "libhp/stats.h"

/* copies of the filler's hugetlb slots, in their order; NULL: none made */
static char *copies;
static size_t copies_len;

static bool is_pool(const struct hp_filler *f, unsigned int i)
{
	return hp_slots_at(&f->slots, i)->state == HP_SLOT_HUGETLB;
}

static void *slot_addr(const struct hp_filler *f, unsigned int i)
{
	return (void *)hp_slots_addr(&f->slots, i);
}

static unsigned int count_pool(const struct hp_filler *f)
{
	unsigned int n = 0;

	for (unsigned int i = 0; f->pool && i < f->slots.n; i++)
		n += is_pool(f, i);
	return n;
}

/*
 * Even a pool that could pay for every copy now is no promise: a thread of the
 * parent or another process may take those pages before they are written to,
 * and no reservation made here would serve the copies. So only an explicit
 * "share" shares.
 */
static bool must_copy(const struct hp_filler *f, unsigned int n)
{
	return n > 0 && f->slots.options->fork != HP_FORK_SHARE;
}

static char *map_copies(const struct hp_filler *f, unsigned int n)
{
	size_t len = (size_t)n << f->slots.slot_shift;
	long ret = hp_linux_map(NULL, len + f->slots.slot,
				PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t start;

	if (hp_linux_failed(ret))
		return NULL;
	start = hp_align_up((uintptr_t)ret, f->slots.slot);
	if (start > (uintptr_t)ret)
		hp_linux_unmap((void *)ret, start - (uintptr_t)ret);
	hp_linux_unmap((void *)(start + len),
		       (uintptr_t)ret + f->slots.slot - start);
	if (f->collapse)
		hp_linux_advise((void *)start, len, MADV_HUGEPAGE);
	copies_len = len;
	return (char *)start;
}

/* only pages in use: what is free may have any contents in the child */
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

/* the advice must cover whole hugetlb pages, which may span many slots */
static void advise_pool(const struct hp_filler *f, int advice)
{
	unsigned int end;

	for (unsigned int i = 0; i < f->slots.n; i = end) {
		end = i + 1;
		if (!is_pool(f, i))
			continue;
		while (end < f->slots.n && is_pool(f, end))
			end++;
		hp_linux_advise(slot_addr(f, i),
				(size_t)(end - i) << f->slots.slot_shift,
				advice);
	}
}

void hp_fork_prepare(struct hp_filler *f)
{
	unsigned int n;
	char *to;

	hp_filler_fork_prepare(f);
	n = count_pool(f);
	copies = NULL;
	if (!must_copy(f, n))
		return;
	to = copies = map_copies(f, n);
	if (!to)
		return; /* no memory: the fork itself will hardly succeed */
	for (unsigned int i = 0; i < f->slots.n; i++) {
		if (!is_pool(f, i))
			continue;
		copy_slot(f, i, to);
		to += f->slots.slot;
	}
	advise_pool(f, MADV_DONTFORK);
}

void hp_fork_parent(struct hp_filler *f)
{
	if (copies) {
		advise_pool(f, MADV_DOFORK);
		hp_linux_unmap(copies, copies_len);
		copies = NULL;
	}
	hp_filler_fork_parent(f);
}

/* where the pool page was there is nothing in the child: the copy moves in */
static void move_in(char *copy, size_t len, void *to)
{
	long ret = hp_linux_remap(copy, len, len,
				  MREMAP_MAYMOVE | MREMAP_FIXED, to);

	if (!hp_linux_failed(ret))
		return;
	/* the most mappings there may be (vm.max_map_count), for instance */
	ret = hp_linux_map(to, len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (!hp_linux_failed(ret))
		memcpy(to, copy, len);
}

static void demote(struct hp_filler *f, unsigned int i, char *copy)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);

	move_in(copy, f->slots.slot, slot_addr(f, i));
	slot->state = HP_SLOT_THP;
	slot->reason = HP_REASON_AFTER_FORK;
	slot->flags &= (uint8_t)~HP_SLOT_GIANT;
	hp_stats_count(HP_EVENT_DEMOTED);
}

void hp_fork_child(struct hp_filler *f)
{
	char *copy = copies;

	for (unsigned int i = 0; copy && i < f->slots.n; i++) {
		if (!is_pool(f, i))
			continue;
		demote(f, i, copy);
		copy += f->slots.slot;
	}
	copies = NULL;
	hp_filler_fork_child(f);
}
