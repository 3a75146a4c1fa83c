/* SPDX-License-Identifier: MIT */
/*
 * candidate.h - slots of another process that could be made huge, best first
 */
#ifndef HP_CANDIDATE_H
#define HP_CANDIDATE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libhp/smaps.h"
#include "libhp/tool/memory.h"

struct hp_candidate {
	uint64_t start, present; /* bytes of it that are present */
};

/* private anonymous memory, in slots */
struct hp_candidates {
	size_t n, room;
	struct hp_candidate *list; /* most resident first, then by address */
	uint64_t slot;		   /* bytes of one */
	uint64_t least;		   /* bytes that must be present in one */
	uint64_t huge;		   /* slots that are huge already */
	uint64_t sparse;	   /* slots with less than that present */
	uint64_t refused;	   /* slots under MADV_NOHUGEPAGE */
	uint64_t unknown;	   /* bytes pagemap did not tell about */
};

/**
 * hp_candidates_find - look through the memory of @pid
 * @slot: bytes of one
 * @resident: percent of a slot that must be present
 *
 * Return: 0, hp_candidates_clear() it; -ENOMEM; -errno of smaps.
 */
int hp_candidates_find(pid_t pid, uint64_t slot, unsigned int resident,
		       struct hp_candidates *out);
void hp_candidates_clear(struct hp_candidates *c);

/* for tests: one stretch more, and the order; -ENOMEM */
int hp_candidates_add(struct hp_candidates *c, const struct hp_smaps *mapping,
		      const struct hp_stretch *stretch);
void hp_candidates_sort(struct hp_candidates *c);

#endif
