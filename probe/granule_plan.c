/* SPDX-License-Identifier: MIT */
/*
 * granule_plan.c - which blocks the granule sweeps touch
 */
#include "probe/granule_plan.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "libhp/common.h"

#define POINTS_PER_OCTAVE 6
#define BLOCKS_WORTH_A_CURVE 8
/* neighbouring small pages that TLBs are known to merge, with room to spare */
#define COALESCED_MAX 16

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
		size_t blocks = (size_t)lround(HP_GRANULE_BLOCKS_MIN *
					       exp2((double)k /
						    POINTS_PER_OCTAVE));

		if (blocks > top)
			break;
		if (blocks != last)
			out[n++] = last = blocks;
	}
	return n;
}

/*
 * A golden-ratio rotation: even over the slots for every residue of @i, which
 * a counter modulo the slots is not (it would tie the slot to the page).
 */
size_t hp_granule_plan_offset(const struct hp_granule_plan *plan,
			      size_t spacing, size_t i)
{
	size_t slots = hp_max(lowest_bit(spacing) / plan->line, 1);
	uint32_t turn = (uint32_t)i * UINT32_C(0x9e3779b9);

	return i * spacing + (size_t)(((uint64_t)turn * slots) >> 32) *
				     plan->line;
}
