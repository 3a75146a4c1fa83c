/* SPDX-License-Identifier: MIT */
/*
 * granule_plan.c - which blocks the granule sweeps touch
 */
#include "probe/granule_plan.h"

#include <stdint.h>
#include <stdlib.h>

#include "libhp/common.h"
#include "probe/octave.h"

#define POINTS_PER_OCTAVE 6
#define BLOCKS_WORTH_A_CURVE 8
/* neighbouring small pages that TLBs are known to merge, with room to spare */
#define COALESCED_MAX 16
/* pages that any first-level TLB holds */
#define PACKED_PAGES 16

static size_t lowest_bit(size_t n)
{
	return n & (~n + 1);
}

static size_t largest_spacing(const struct hp_granule_plan *plan)
{
	size_t wanted = 4 * hp_max(plan->claimed, COALESCED_MAX * plan->base);

	return hp_min(wanted, plan->span / BLOCKS_WORTH_A_CURVE);
}

static size_t append(size_t *out, size_t n, size_t spacing)
{
	if (n < HP_GRANULE_CURVES_MAX)
		out[n++] = spacing;
	return n;
}

static int by_size(const void *a, const void *b)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

size_t hp_granule_plan_spacings(const struct hp_granule_plan *plan,
				size_t out[HP_GRANULE_CURVES_MAX])
{
	size_t top = largest_spacing(plan), n = 0;

	for (size_t b = plan->base / 2; b <= top; b *= 2) {
		n = append(out, n, b);
		if (b + b / 2 <= top)
			n = append(out, n, b + b / 2);
	}
	for (size_t k = 4; (k + 1) * plan->base <= top; k *= 4)
		n = append(out, n, (k + 1) * plan->base);
	qsort(out, n, sizeof(*out), by_size);
	return n;
}

size_t hp_granule_plan_counts(const struct hp_granule_plan *plan,
			      size_t spacing, size_t out[HP_GRANULE_POINTS_MAX])
{
	size_t top = hp_min(plan->blocks, plan->span / spacing), n = 0;
	size_t last = 0;

	for (unsigned int k = 0; n < HP_GRANULE_POINTS_MAX; k++) {
		size_t blocks =
			(size_t)(HP_GRANULE_BLOCKS_MIN *
					 hp_octave_exp((double)k /
						       POINTS_PER_OCTAVE) +
				 0.5);

		if (blocks > top)
			break;
		if (blocks != last)
			out[n++] = last = blocks;
	}
	return n;
}

/* splitmix64's finaliser; one bit of it decides a swap */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

/*
 * Within a page a golden-ratio rotation: even over the lines for every
 * residue of @i, which a counter is not (it would tie the line to the page).
 */
static size_t line_of(size_t i, size_t lines)
{
	uint32_t turn = (uint32_t)i * UINT32_C(0x9e3779b9);

	return (size_t)(((uint64_t)turn * lines) >> 32);
}

/*
 * The page within the block is drawn at random, so that no index function,
 * linear or hashed, sees a pattern.
 */
size_t hp_granule_plan_offset(const struct hp_granule_plan *plan,
			      size_t spacing, size_t i)
{
	size_t room = lowest_bit(spacing);
	size_t lines = hp_max(hp_min(room, plan->base) / plan->line, 1);
	size_t pages = hp_max(room / plan->base, 1);

	return i * spacing + mix(i) % pages * plan->base +
	       line_of(i, lines) * plan->line;
}

/*
 * The block visited at @time of a lap of 2^@bits: the bits of @time reversed,
 * each flipped by chance but alike for all blocks with the same higher bits
 * (Owen's nested scrambling), which keeps the gaps and loses the stride.
 */
static uint64_t scrambled(uint64_t time, unsigned int bits, uint64_t seed)
{
	uint64_t block = 0;

	for (unsigned int k = 0; k < bits; k++) {
		uint64_t chance = mix(seed ^ mix(block + ((uint64_t)k << 56)));

		block = 2 * block + (((time >> k) ^ chance) & 1);
	}
	return block;
}

void hp_granule_plan_order(size_t blocks, uint64_t seed, uint32_t *order)
{
	unsigned int bits = blocks > 1 ? hp_log2(blocks - 1) + 1 : 0;

	for (uint64_t time = 0; time < UINT64_C(1) << bits; time++) {
		uint64_t block = scrambled(time, bits, seed);

		if (block < blocks)
			*order++ = (uint32_t)block;
	}
}

void hp_granule_plan_packed(const struct hp_granule_plan *plan, size_t blocks,
			    uint64_t seed, uint32_t *order)
{
	size_t window = PACKED_PAGES * plan->base / plan->line;

	for (size_t first = 0; first < blocks; first += window) {
		size_t n = hp_min(window, blocks - first);

		hp_granule_plan_order(n, seed + first, order + first);
		for (size_t i = 0; i < n; i++)
			order[first + i] += (uint32_t)first;
	}
}
