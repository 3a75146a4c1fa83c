/* SPDX-License-Identifier: MIT */
/*
 * granule_plan.h - which blocks the granule sweeps touch
 *
 * Pure arithmetic. A curve touches n blocks that lie @spacing bytes apart, one
 * cache line in each. Powers of two alone would let the sets of a linearly
 * indexed TLB imitate a larger page (every doubling halves the sets in use),
 * so each power of two comes with its triple, and odd multiples of the base
 * page are spread between.
 */
#ifndef HP_GRANULE_PLAN_H
#define HP_GRANULE_PLAN_H

#include <stddef.h>

#define HP_GRANULE_CURVES_MAX 80
#define HP_GRANULE_POINTS_MAX 128
#define HP_GRANULE_BLOCKS_MIN 4

/**
 * struct hp_granule_plan - what the sweeps may use
 * @base:    bytes of the kernel's base page
 * @claimed: bytes of the page the kernel says backs the buffer
 * @span:    bytes of the buffer
 * @line:    bytes between lines that no prefetcher pairs up
 * @blocks:  most blocks one curve touches; keep @blocks * @line well inside
 *           the private cache, so that data never add a step of their own
 */
struct hp_granule_plan {
	size_t base;
	size_t claimed;
	size_t span;
	size_t line;
	size_t blocks;
};

/**
 * hp_granule_plan_spacings - block spacings worth a curve, ascending
 * @plan: limits
 * @out:  receives up to HP_GRANULE_CURVES_MAX spacings in bytes
 *
 * From half a base page to four claimed pages, as far as the span holds
 * enough blocks for a curve.
 *
 * Return: how many were stored.
 */
size_t hp_granule_plan_spacings(const struct hp_granule_plan *plan,
				size_t out[HP_GRANULE_CURVES_MAX]);

/**
 * hp_granule_plan_counts - block counts of one curve, ascending
 * @plan:    limits
 * @spacing: bytes between blocks
 * @out:     receives up to HP_GRANULE_POINTS_MAX counts, six to an octave
 *
 * Return: how many were stored.
 */
size_t hp_granule_plan_counts(const struct hp_granule_plan *plan,
			      size_t spacing,
			      size_t out[HP_GRANULE_POINTS_MAX]);

/**
 * hp_granule_plan_offset - where block @i keeps its line
 * @plan:    limits
 * @spacing: bytes between blocks
 * @i:       block number
 *
 * The line moves through the block so that the cache sets are used evenly,
 * yet never leaves the largest power of two dividing @spacing: which page a
 * block falls into then depends on @i alone.
 *
 * Return: bytes from the start of the buffer.
 */
size_t hp_granule_plan_offset(const struct hp_granule_plan *plan,
			      size_t spacing, size_t i);

#endif
