/* SPDX-License-Identifier: MIT */
/*
 * granule_sweep.h - measure one granule sweep in one buffer
 */
#ifndef HP_GRANULE_SWEEP_H
#define HP_GRANULE_SWEEP_H

#include "libhp/common.h"
#include "probe/granule_plan.h"
#include "probe/sample.h"

/**
 * struct hp_granule_trace - a sweep and the memory it points into
 * @sweep:  for hp_granule_infer()
 * @chunks: what became of the timed chunks
 */
struct hp_granule_trace {
	struct hp_granule_sweep sweep;
	struct hp_granule_curve curves[HP_GRANULE_CURVES_MAX];
	struct hp_granule_point points[HP_GRANULE_CURVES_MAX]
				      [HP_GRANULE_POINTS_MAX];
	struct hp_probe_chunks chunks;
};

/**
 * struct hp_granule_setup - how to measure
 * @plan:     which blocks
 * @rounds:   values per point, at most HP_STATS_PAIRS_MAX
 * @seed:     of orders, shuffles and bootstrap
 * @sampler:  of the calling thread
 * @progress: called with 0 .. 1 now and then; may be NULL
 * @arg:      for it
 */
struct hp_granule_setup {
	struct hp_granule_plan plan;
	unsigned int rounds;
	uint64_t seed;
	const struct hp_sampler *sampler;
	void (*progress)(double done, void *arg);
	void *arg;
};

/**
 * hp_granule_sweep_take - measure the sweep
 * @setup: how
 * @base:  @setup->plan.span populated bytes, aligned to the claimed page;
 *	   overwritten
 * @trace: receives the sweep; points with less than three values are left out
 *
 * Ends early, with what is known, when the sampler is done.
 *
 * Return: 0; -ENOMEM.
 */
int hp_granule_sweep_take(const struct hp_granule_setup *setup, void *base,
			  struct hp_granule_trace *trace) HP_MUST_CHECK;

/* hp_granule_sweep_seconds - how long that takes, generously; no populating */
double hp_granule_sweep_seconds(const struct hp_granule_plan *plan,
				unsigned int rounds);

#endif
