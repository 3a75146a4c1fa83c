/* SPDX-License-Identifier: MIT */
/*
 * share.h - how much of its memory a process may have on huge pages
 *
 * None until it is large (LIBHP_START). And where a memory cgroup has a limit,
 * a program that touches little of much must not be killed for what huge pages
 * add, nor others in the group for its sake: what it may still fill has to fit
 * into its share of what the group has left.
 */
#ifndef HP_SHARE_H
#define HP_SHARE_H

#include "libhp/common.h"

/**
 * struct hp_start - LIBHP_START: how much memory makes a process large
 *
 * Shared by the fillers of a process. While it is small they stay on small
 * pages; the take that passes the threshold turns each of them over.
 */
struct hp_start {
	uint64_t threshold; /* bytes */
	uint64_t bytes;	    /* handed out so far, until passed */
	bool passed;
	bool sealed; /* by a sandbox, which may forbid to read files */
	/* bytes advised, of slots and of other mappings, and the most of both
	 * together, 0: no bound */
	uint64_t slots, mapped, most;
};

/* hp_start_outgrown - the program maps @bytes itself; they count, too */
static inline bool hp_start_outgrown(struct hp_start *start, uint64_t bytes)
{
	if (!HP_READ_ONCE(start->passed) &&
	    __atomic_add_fetch(&start->bytes, bytes, __ATOMIC_RELAXED) >
		    start->threshold)
		HP_WRITE_ONCE(start->passed, true);
	return HP_READ_ONCE(start->passed);
}

/* hp_share_init - sets @start->most from the limit of the memory cgroup
 * @limit: bytes; HP_UNKNOWN: none */
void hp_share_init(struct hp_start *start, uint64_t limit);

/* hp_share_affords - may @bytes more be advised? Reads the cgroup's files, if
 * there is a limit, but not every time. */
bool hp_share_affords(const struct hp_start *start, uint64_t bytes);

/* hp_share_keep - a sandbox is near: no file is read any more */
void hp_share_keep(struct hp_start *start);

/* hp_share_forked - in the child: what the parent may fill is not its */
void hp_share_forked(void);

#endif
