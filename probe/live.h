/* SPDX-License-Identifier: MIT */
/*
 * live.h - measuring memory in use
 *
 * Five walks, a chunk of each per round in shuffled order: over random lines
 * of all the memory (what it pays); over few lines far apart and over as many
 * packed together, both in the private cache (translation is the difference);
 * over lines of some sampled pages, and over their counterparts in a mapping
 * of small pages laid out alike (what small pages would cost). Before a chunk
 * come loads that bring the page tables into the caches as far as a busy
 * program has them there.
 * No libc allocation.
 */
#ifndef HP_LIVE_H
#define HP_LIVE_H

#include "probe/hp_probe.h"
#include "probe/live_view.h"

struct hp_live_want {
	struct hp_live_view view; /* ranges, start and end set */
	uint64_t seed;
	uint64_t limit_ns;	  /* take no longer; 0 one second */
	const volatile int *stop; /* may be NULL */
};

/**
 * hp_live_measure - see hp_probe_live()
 * @want: which memory, how long
 * @out:  receives the result
 *
 * The calling thread must not hold locks that change mappings.
 */
void hp_live_measure(struct hp_live_want *want, struct hp_probe_live *out);

/* hp_live_managed - hp_live_view.ranges of all memory libhp manages */
void hp_live_managed(const struct hp_live_view *view, hp_range_fn fn,
		     void *arg);

#endif
