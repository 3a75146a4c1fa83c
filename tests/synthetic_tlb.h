/* SPDX-License-Identifier: MIT */
/*
 * synthetic_tlb.h - a processor whose translation is known
 *
 * Simulates translation levels, the first two data caches and the page table
 * lines that compete for them, and makes from it the sweeps that the granule
 * inference gets from a real machine. Noise is added afterwards, so that one
 * simulation serves many seeds.
 */
#ifndef HP_SYNTHETIC_TLB_H
#define HP_SYNTHETIC_TLB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/granule_plan.h"

#define SYNTHETIC_LEVELS_MAX 2

/* @ways 0 = fully associative; @hashed folds the page number by XOR */
struct synthetic_level {
	unsigned int entries, ways;
	bool hashed, random;
};

/**
 * struct synthetic_machine - what the sweeps run on
 * @base:     bytes of the smallest page
 * @guest:    bytes of the page the kernel maps
 * @host:     bytes of the page under it, 0 = no hypervisor
 * @mixed:    bytes of a second host page size that every other block of
 *            @guest bytes gets, 0 = none
 * @coalesce: neighbouring pages that share one entry (1 = none)
 * @level:    translation levels, nearest first
 * @l1_lines: lines of the first data cache
 * @l2_lines: lines of the second
 */
struct synthetic_machine {
	size_t base, guest, host, mixed;
	unsigned int coalesce;
	size_t levels;
	struct synthetic_level level[SYNTHETIC_LEVELS_MAX];
	size_t l1_lines, l2_lines;
};

/* a sweep and the memory it points into */
struct synthetic_sweep {
	struct hp_granule_sweep sweep;
	struct hp_granule_curve curves[HP_GRANULE_CURVES_MAX];
	struct hp_granule_point points[HP_GRANULE_CURVES_MAX]
				      [HP_GRANULE_POINTS_MAX];
	/* latency of the chase itself, not of the difference: noise follows it
	 */
	double raw[HP_GRANULE_CURVES_MAX][HP_GRANULE_POINTS_MAX];
};

/* noiseless sweep of @machine as @plan wants it */
void synthetic_sweep_run(const struct synthetic_machine *machine,
			 const struct hp_granule_plan *plan,
			 struct synthetic_sweep *out);

/**
 * synthetic_sweep_blur - copy with noise
 * @clean: noiseless sweep
 * @share: standard deviation of a point, as a part of its latency
 * @wild:  part of the points that are disturbed by half their latency
 * @seed:  of the noise
 * @out:   receives the copy; may not be @clean
 */
void synthetic_sweep_blur(const struct synthetic_sweep *clean, double share,
			  double wild, uint64_t seed,
			  struct synthetic_sweep *out);

#endif
