/* SPDX-License-Identifier: MIT */
#include "libhp/lock.h"
#include "libhp/region.h"
#include "libhp/stats.h"

static struct hp_region *regions;
static struct hp_lock lock; /* guards the list; innermost, no calls under it */

/* the region that ends first behind @at, or NULL */
static const struct hp_region *next_region(const char *at)
{
	const struct hp_region *best = NULL;

	for (const struct hp_region *r = regions; r; r = r->next)
		if (r->addr + r->len > at && (!best || r->addr < best->addr))
			best = r;
	return best;
}

static bool alike(const struct hp_region_slot *a,
		  const struct hp_region_slot *b)
{
	return a->reason == b->reason && a->hugetlb == b->hugetlb;
}

/* the slots of one kind that begin at @at or behind it */
static void cut_range(const struct hp_region *r, const char *at,
		      struct hp_range *out)
{
	uintptr_t base = hp_align_down((uintptr_t)r->addr, r->slot);
	uintptr_t start = hp_max((uintptr_t)at, (uintptr_t)r->addr);
	size_t i = (start - base) / r->slot, end = i + 1;

	while (end < r->nslots && alike(&r->slots[i], &r->slots[end]))
		end++;
	out->start = start;
	out->end = hp_min(base + end * r->slot, (uintptr_t)r->addr + r->len);
	out->reason = (enum hp_reason)r->slots[i].reason;
	out->hugetlb = r->slots[i].hugetlb;
}

static bool next_range(const char *at, struct hp_range *out)
{
	const struct hp_region *r;

	if (!hp_lock_take(&lock))
		return false;
	r = next_region(at);
	if (r)
		cut_range(r, at, out);
	hp_lock_drop(&lock);
	return r;
}

/* regions may come and go between two calls of @fn */
static void list_ranges(hp_range_fn fn, void *arg)
{
	struct hp_range range = {0};

	while (next_range((const char *)(uintptr_t)range.end, &range))
		fn(&range, arg);
}

static uint64_t sum_used(void)
{
	uint64_t sum = 0;

	if (!hp_lock_take(&lock))
		return 0;
	for (const struct hp_region *r = regions; r; r = r->next)
		sum += r->len;
	hp_lock_drop(&lock);
	return sum;
}

static struct hp_provider provider = {
	.origin = HP_ORIGIN_REGION,
	.ranges = list_ranges,
	.used = sum_used,
};

void hp_region_list_add(struct hp_region *r)
{
	static bool provided;

	if (!__atomic_exchange_n(&provided, true, __ATOMIC_RELAXED))
		hp_stats_provide(&provider);
	if (!hp_lock_take(&lock))
		return; /* goes without statistics */
	r->next = regions;
	regions = r;
	hp_lock_drop(&lock);
}

bool hp_region_list_remove(struct hp_region *r)
{
	struct hp_region **at = &regions;

	if (!hp_lock_take(&lock))
		return false;
	while (*at && *at != r)
		at = &(*at)->next;
	if (*at)
		*at = r->next;
	hp_lock_drop(&lock);
	return true;
}
