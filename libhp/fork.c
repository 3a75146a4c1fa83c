/* SPDX-License-Identifier: MIT */
#include "libhp/fork.h"

#include <fcntl.h>
#include <sys/single_threaded.h>

#include "libhp/alone.h"
#include "libhp/demote.h"
#include "libhp/linux.h"
#include "libhp/pagemap.h"

/* copies of the filler's hugetlb slots, in their order; NULL: none made */
static char *copies;
static size_t copies_len;

static unsigned int count_pool(const struct hp_filler *f)
{
	unsigned int n = 0;

	for (unsigned int i = 0; f->pool && i < f->slots.n; i++)
		n += hp_demote_is_pool(f, i);
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

/* others go on writing meanwhile: the child gets what is there now */
static void copy_over(struct hp_filler *f, unsigned int n)
{
	char *to = copies = hp_demote_room(f, n);

	if (!to)
		return; /* no memory: the fork itself will hardly succeed */
	copies_len = (size_t)n << f->slots.slot_shift;
	for (unsigned int i = 0; i < f->slots.n; i += hp_max(n, 1)) {
		n = hp_demote_run(f, i);
		hp_demote_copy(f, i, n, to);
		to += (size_t)n << f->slots.slot_shift;
	}
}

/* in the child */
struct adoption {
	struct hp_filler *f;
	int pagemap; /* < 0: not to be had */
};

/*
 * Pages of its own are what the child wrote to since, or what the parent left
 * to it by doing so; both are newer than the copy.
 */
static bool has_own(const struct adoption *a, unsigned int i)
{
	return a->pagemap < 0 ||
	       hp_pagemap_is_own(a->pagemap, hp_slots_addr(&a->f->slots, i));
}

static void adopt_run(const struct adoption *a, unsigned int first,
		      unsigned int n, char *copy)
{
	size_t slot = a->f->slots.slot;

	for (unsigned int i = 0; i < n; i++)
		if (has_own(a, first + i))
			hp_demote_copy(a->f, first + i, 1, copy + i * slot);
	hp_demote_move(a->f, first, n, copy, HP_REASON_AFTER_FORK);
}

static void adopt(void *arg)
{
	const struct adoption *a = arg;
	char *copy = copies;
	unsigned int n;

	for (unsigned int i = 0; i < a->f->slots.n; i += hp_max(n, 1)) {
		n = hp_demote_run(a->f, i);
		if (n == 0)
			continue;
		adopt_run(a, i, n, copy);
		copy += (size_t)n << a->f->slots.slot_shift;
	}
}

static void adopt_copies(struct hp_filler *f)
{
	struct adoption a = {f, -1};

	if (!f->keep)
		a.pagemap =
			hp_linux_open("/proc/thread-self/pagemap", O_RDONLY, 0);
	hp_demote_apart(f, adopt, &a);
	if (a.pagemap >= 0)
		hp_linux_close(a.pagemap);
	copies = NULL;
}

/*
 * Moved over itself the child finds everything in its place from its first
 * step. In a sandbox no file can be asked, and the copies need a madvise.
 */
static bool moves_over(const struct hp_filler *f)
{
	return f->keep ? __libc_single_threaded : hp_alone();
}

void hp_fork_prepare(struct hp_filler *f)
{
	unsigned int n;

	hp_filler_fork_prepare(f);
	n = count_pool(f);
	copies = NULL;
	if (!must_copy(f, n))
		return;
	if (moves_over(f))
		hp_demote_all(f);
	else
		copy_over(f, n);
}

void hp_fork_parent(struct hp_filler *f)
{
	if (copies) {
		hp_linux_unmap(copies, copies_len);
		copies = NULL;
	}
	hp_filler_fork_parent(f);
}

void hp_fork_child(struct hp_filler *f)
{
	if (copies)
		adopt_copies(f);
	hp_filler_fork_child(f);
}
