/* SPDX-License-Identifier: MIT */
/*
 * bound.h - how much of a filler may be resident without being in use
 *
 * LIBHP_BLOAT percent of what is in use, but for a moment more. libhp has no
 * thread that could come back after it, so the moment ends with a call. Call
 * all of these with the filler locked.
 */
#ifndef HP_BOUND_H
#define HP_BOUND_H

#include "libhp/filler.h"

/* pages resident beyond those in use, and how many may be for good */
uint64_t hp_bound_excess(const struct hp_filler *f);
uint64_t hp_bound_allowed(const struct hp_filler *f);

/* hp_bound_exceeded - worth asking hp_bound_due()? every give pays for this */
bool hp_bound_exceeded(struct hp_filler *f);

/* pages beyond those in use */
struct hp_bound_target {
	uint64_t allowed;
	uint64_t low; /* go so far while it is cheap */
};

/* hp_bound_due - must memory go back now, and how much may stay? */
bool hp_bound_due(struct hp_filler *f, struct hp_bound_target *out);

/* hp_bound_released - it went */
void hp_bound_released(struct hp_filler *f);

/* hp_bound_wait - what cannot go now cannot a page later, but in a while */
void hp_bound_wait(struct hp_filler *f);

#endif
