/* SPDX-License-Identifier: MIT */
#include "libhp/heap.h"

#include "libhp/linux.h"

struct hp_filler hp_heap;
struct hp_start hp_heap_start;
bool hp_heap_closed;

static void ranges(hp_range_fn fn, void *arg)
{
	hp_filler_ranges(&hp_heap, fn, arg);
}

static uint64_t used(void)
{
	return hp_heap.used << hp_heap.slots.page_shift;
}

static struct hp_provider provider = {
	.origin = HP_ORIGIN_HEAP,
	.ranges = ranges,
	.used = used,
};

int hp_heap_init(const struct hp_options *options,
		 const struct hp_pagesizes *pagesizes, bool passive)
{
	int ret;

	hp_heap_start.threshold = options->start;
	hp_share_init(&hp_heap_start, pagesizes->memcg_limit);
	ret = hp_filler_init(&hp_heap, options, pagesizes,
			     passive ? NULL : &hp_heap_start);
	if (ret < 0)
		return ret;
	if (passive)
		hp_heap.slots.advice = 0;
	hp_stats_provide(&provider);
	return 0;
}
