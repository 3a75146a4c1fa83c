/* SPDX-License-Identifier: MIT */
#include "libhp/fork.h"

#include <sys/single_threaded.h>

#include "libhp/alone.h"
#include "libhp/demote.h"
#include "libhp/linux.h"
#include "libhp/streams.h"

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

/* the advice must cover whole hugetlb pages, which may span many slots */
static void advise_pool(const struct hp_filler *f, int advice)
{
	unsigned int n;

	for (unsigned int i = 0; i < f->slots.n; i += hp_max(n, 1)) {
		n = hp_demote_run(f, i);
		if (n > 0)
			hp_linux_advise((void *)hp_slots_addr(&f->slots, i),
					(size_t)n << f->slots.slot_shift,
					advice);
	}
}

/* in the child, where nothing was shared */
static void move_in(struct hp_filler *f)
{
	char *copy = copies;
	unsigned int n;

	for (unsigned int i = 0; copy && i < f->slots.n; i += hp_max(n, 1)) {
		n = hp_demote_run(f, i);
		if (n == 0)
			continue;
		hp_demote_move(f, i, n, copy, HP_REASON_AFTER_FORK);
		copy += (size_t)n << f->slots.slot_shift;
	}
	copies = NULL;
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
	advise_pool(f, MADV_DONTFORK);
}

/*
 * In a threaded process libc's child resets the locks of all open stdio
 * streams before it runs any handler: the slots these lie in must be there.
 */
static void share_stream(void *stream, void *filler)
{
	struct hp_slots *slots = &((struct hp_filler *)filler)->slots;

	if (hp_slots_hold(slots, stream))
		hp_slots_at(slots, hp_slots_index(slots, (uintptr_t)stream))
			->flags |= HP_SLOT_SHARED;
}

static void share_nothing(struct hp_filler *f)
{
	for (unsigned int i = 0; f->pool && i < f->slots.n; i++)
		hp_slots_at(&f->slots, i)->flags &= (uint8_t)~HP_SLOT_SHARED;
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
	if (f->pool && !__libc_single_threaded)
		hp_streams_each(share_stream, f);
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
		advise_pool(f, MADV_DOFORK);
		hp_linux_unmap(copies, copies_len);
		copies = NULL;
	}
	share_nothing(f);
	hp_filler_fork_parent(f);
}

void hp_fork_child(struct hp_filler *f)
{
	move_in(f);
	share_nothing(f);
	hp_filler_fork_child(f);
}
