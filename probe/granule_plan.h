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
#include <stdint.h>

#include "probe/hp_granule.h"

#define HP_GRANULE_BLOCKS_MIN 2

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
 * The line wanders through the block, so that cache and TLB sets are used
 * whatever the spacing, yet never leaves the largest power of two dividing
 * @spacing: pages at least that large are then visited exactly @spacing apart.
 *
 * Return: bytes from the start of the buffer.
 */
size_t hp_granule_plan_offset(const struct hp_granule_plan *plan,
			      size_t spacing, size_t i);

/**
 * hp_granule_plan_order - a random visiting order with even gaps
 * @blocks: how many are visited, at least 1 and at most 2^31
 * @seed:   which order
 * @order:  receives @blocks block numbers
 *
 * Blocks that share a page must be visited as far apart as can be: any 2^k
 * neighbours are a 2^-k lap from each other. In a plain shuffle some follow
 * closely and hit long after the TLB is too small, which smears the step.
 */
void hp_granule_plan_order(size_t blocks, uint64_t seed, uint32_t *order);

/**
 * hp_granule_plan_packed - the order of the packed chase, likewise random
 * @plan:   limits
 * @blocks: how many lines, one behind the other
 * @seed:   which order
 * @order:  receives @blocks line numbers
 *
 * Goes through one small window of pages after the other: the packed chase
 * is what the data cost alone and must not miss a TLB itself.
 */
void hp_granule_plan_packed(const struct hp_granule_plan *plan, size_t blocks,
			    uint64_t seed, uint32_t *order);

#endif
