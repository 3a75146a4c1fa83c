/* SPDX-License-Identifier: MIT */
#include "libhp/fork.h"

#include <stdio.h>
#include <string.h>
#include <sys/single_threaded.h>

#include "libhp/linux.h"
#include "libhp/runs.h"
#include "libhp/stats.h"

/* slots a process without threads moves at a time */
#define STEP_SLOTS 16

/* exported by glibc since 2.2.5, for libstdc++ of old */
extern struct _IO_FILE_plus *_IO_list_all;
void _IO_list_lock(void);
void _IO_list_unlock(void);

/* copies of the filler's hugetlb slots, in their order; NULL: none made */
static char *copies;
static size_t copies_len;

static bool is_pool(const struct hp_filler *f, unsigned int i)
{
	const struct hp_slot *slot = hp_slots_at(&f->slots, i);

	return slot->state == HP_SLOT_HUGETLB &&
	       !(slot->flags & HP_SLOT_SHARED);
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

/* copies of n slots; where room is short, on small pages wherever they fit */
static char *map_copies(const struct hp_filler *f, unsigned int n)
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

/* the copy takes the place of the pool page, or of the hole in the child */
static void move_in(char *copy, size_t len, void *to)
{
	long ret = hp_linux_remap(copy, len, len, MREMAP_MAYMOVE | MREMAP_FIXED,
				  to);

	if (!hp_linux_failed(ret))
		return;
	/* the most mappings there may be (vm.max_map_count), for instance */
	ret = hp_linux_map(to, len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (!hp_linux_failed(ret))
		memcpy(to, copy, len);
}

/* neighbours together: one hugetlb page may lie under many slots */
static unsigned int pool_run(const struct hp_filler *f, unsigned int first)
{
	unsigned int end = first;

	while (end < f->slots.n && is_pool(f, end))
		end++;
	return end - first;
}

/* part of a hugetlb page that spans slots, and so only to be moved whole */
static bool has_giant(const struct hp_filler *f, unsigned int i, unsigned int n)
{
	for (; n > 0; n--, i++)
		if (hp_slots_at(&f->slots, i)->flags & HP_SLOT_GIANT)
			return true;
	return false;
}

static void note_demoted(struct hp_filler *f, unsigned int i)
{
	struct hp_slot *slot = hp_slots_at(&f->slots, i);

	slot->state = HP_SLOT_THP;
	slot->reason = HP_REASON_AFTER_FORK;
	slot->flags &= (uint8_t)~HP_SLOT_GIANT;
	hp_stats_count(HP_EVENT_DEMOTED);
}

static void demote_run(struct hp_filler *f, unsigned int i, unsigned int n,
		       char *copy)
{
	move_in(copy, (size_t)n << f->slots.slot_shift, slot_addr(f, i));
	for (; n > 0; n--)
		note_demoted(f, i++);
}

static void demote_all(struct hp_filler *f)
{
	char *copy = copies;

	for (unsigned int i = 0; copy && i < f->slots.n; i++) {
		unsigned int n = pool_run(f, i);

		if (n == 0)
			continue;
		demote_run(f, i, n, copy);
		copy += (size_t)n << f->slots.slot_shift;
		i += n;
	}
	copies = NULL;
}

static void copy_run(const struct hp_filler *f, unsigned int i, unsigned int n,
		     char *to)
{
	for (; n > 0; n--, i++, to += f->slots.slot)
		copy_slot(f, i, to);
}

/*
 * With no other thread to write meanwhile this process moves over itself, so
 * that the child finds everything in its place from its first step. In small
 * steps, since a limit on address space may leave no room for all at once.
 */
static void move_over(struct hp_filler *f)
{
	unsigned int n;

	for (unsigned int i = 0; i < f->slots.n; i += hp_max(n, 1)) {
		char *copy;

		n = pool_run(f, i);
		if (n > STEP_SLOTS && !has_giant(f, i, n))
			n = STEP_SLOTS;
		copy = n > 0 ? map_copies(f, n) : NULL;
		if (!copy)
			continue;
		copy_run(f, i, n, copy);
		demote_run(f, i, n, copy);
	}
}

/* the parent's threads go on writing: the child gets what is there now */
static void copy_over(struct hp_filler *f, unsigned int n)
{
	char *to = copies = map_copies(f, n);

	if (!to)
		return; /* no memory: the fork itself will hardly succeed */
	copies_len = (size_t)n << f->slots.slot_shift;
	for (unsigned int i = 0; i < f->slots.n; i++) {
		if (!is_pool(f, i))
			continue;
		copy_slot(f, i, to);
		to += f->slots.slot;
	}
	advise_pool(f, MADV_DONTFORK);
}

/*
 * In a threaded process libc's child resets the locks of all open stdio
 * streams before it runs any handler: the slots these lie in must be there.
 */
static void share_streams(struct hp_filler *f)
{
	_IO_list_lock();
	for (FILE *s = (FILE *)_IO_list_all; s; s = s->_chain)
		if (hp_slots_hold(&f->slots, s))
			hp_slots_at(&f->slots,
				    hp_slots_index(&f->slots, (uintptr_t)s))
				->flags |= HP_SLOT_SHARED;
	_IO_list_unlock();
}

static void share_nothing(struct hp_filler *f)
{
	for (unsigned int i = 0; f->pool && i < f->slots.n; i++)
		hp_slots_at(&f->slots, i)->flags &= (uint8_t)~HP_SLOT_SHARED;
}

void hp_fork_prepare(struct hp_filler *f)
{
	unsigned int n;

	if (f->pool && !__libc_single_threaded)
		share_streams(f);
	hp_filler_fork_prepare(f);
	n = count_pool(f);
	copies = NULL;
	if (!must_copy(f, n))
		return;
	if (__libc_single_threaded)
		move_over(f);
	else
		copy_over(f, n);
}

void hp_fork_parent(struct hp_filler *f)
{
	if (copies) {
		advise_pool(f, MADV_DOFORK);
		hp_linux_unmap(copies, copies_len);
		copies = NULL;
	}
	share_nothing(f);
	hp_filler_fork_parent(f);
}

void hp_fork_child(struct hp_filler *f)
{
	demote_all(f);
	share_nothing(f);
	hp_filler_fork_child(f);
}
