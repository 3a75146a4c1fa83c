/* SPDX-License-Identifier: MIT */
/*
 * region_private.c - fill address space from a ladder, slot by slot
 *
 * A part of the region goes down the ladder until a rung takes it. Pool pages
 * are mapped and populated elsewhere and then moved to their place, for
 * mmap(MAP_FIXED) unmaps first: when the pool refuses, that would leave a hole
 * into which another thread's mmap() may fall. Moving needs Linux 5.16.
 */
#include <stdlib.h>

#include "libhp/ladder.h"
#include "libhp/linux.h"
#include "libhp/region.h"
#include "libhp/stats.h"

struct fill {
	const struct hp_region_ask *ask;
	struct hp_region *region;
};

/* as many of @n pages as one mapping can have; 0: none, with @reason */
static size_t map_pool(size_t size, size_t n, char **out,
		       enum hp_reason *reason)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
		    (int)(hp_log2(size) << MAP_HUGE_SHIFT);

	*reason = HP_REASON_POOL_EMPTY;
	for (; n > 0; n /= 2) {
		long at = hp_linux_map(NULL, n * size, PROT_READ | PROT_WRITE,
				       flags, -1, 0);

		if (!hp_linux_failed(at)) {
			*out = (char *)at;
			return n;
		}
		*reason = hp_ladder_reason((int)at, false, false);
	}
	return 0;
}

/* in one go if all can be had, else up to the first page that cannot */
static size_t populate_pool(const struct hp_region_ask *ask,
			    const struct hp_region_part *part,
			    enum hp_reason *reason)
{
	int ret = hp_region_touch(ask, part);
	size_t done = ret ? 0 : part->len;

	while (done < part->len) {
		ret = hp_linux_populate(part->addr + done, part->page);
		if (ret)
			break;
		done += part->page;
	}
	if (ret)
		*reason = hp_ladder_reason(ret, true, ask->want.nodes);
	return done / part->page;
}

/* should the kernel refuse, which it may do after unmapping @to */
static void map_small(const struct fill *f, char *to, size_t len)
{
	hp_linux_map(to, len, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	(void)hp_region_bind(f->ask, to, len); /* succeeded before */
}

static bool move_pool(const struct fill *f, char *from, char *to, size_t len)
{
	long ret = hp_linux_remap(from, len, len, MREMAP_MAYMOVE | MREMAP_FIXED,
				  to);

	if (!hp_linux_failed(ret))
		return true;
	hp_linux_unmap(from, len);
	map_small(f, to, len);
	return false;
}

/* how many of the part's pages are there, bound and populated */
static size_t fault_pool(const struct fill *f,
			 const struct hp_region_part *part,
			 enum hp_reason *reason)
{
	size_t got = 0;

	*reason = HP_REASON_UNKNOWN;
	if (hp_region_bind(f->ask, part->addr, part->len) == 0)
		got = populate_pool(f->ask, part, reason);
	if (got * part->page < part->len)
		hp_linux_unmap(part->addr + got * part->page,
			       part->len - got * part->page);
	return got;
}

/* up to @n pool pages put at @at; fewer, or 0, only for @reason */
static size_t take_some(const struct fill *f, char *at, size_t size, size_t n,
			enum hp_reason *reason)
{
	struct hp_region_part part = {.page = size, .pool = true};
	size_t got;

	n = map_pool(size, n, &part.addr, reason);
	if (n == 0)
		return 0;
	part.len = n * size;
	part.offset = (size_t)(at - f->region->addr);
	got = fault_pool(f, &part, reason);
	if (got == 0 || move_pool(f, part.addr, at, got * size))
		return got;
	*reason = HP_REASON_UNKNOWN;
	return 0;
}

/* returns where pool pages of @size end; from there on they ran out */
static char *take_pool(const struct fill *f, char *start, char *end,
		       size_t size, enum hp_reason *reason)
{
	char *at = start;

	while (at < end) {
		size_t n = hp_min((size_t)(end - at) / size,
				  hp_region_pages_left(size));

		n = take_some(f, at, size, n, reason);
		if (n == 0)
			break;
		at += n * size;
	}
	hp_region_mark_pool(f->region, start, at);
	return at;
}

static void fill_part(const struct fill *f, char *start, char *end,
		      unsigned int rung);

/* the part of @start to @end in whole pages of the rung; the rest goes on */
static void fill_pool(const struct fill *f, char *start, char *end,
		      unsigned int rung)
{
	size_t size = f->ask->rungs[rung];
	char *first = (char *)hp_align_up((uintptr_t)start, size);
	char *last = (char *)hp_align_down((uintptr_t)end, size);
	enum hp_reason reason = HP_REASON_NONE;
	char *got;

	if (first >= last) {
		fill_part(f, start, end, rung + 1);
		return;
	}
	got = take_pool(f, first, last, size, &reason);
	if (got < last) {
		hp_stats_count(HP_EVENT_FALLBACK);
		hp_region_mark(f->region, got, last, reason);
	}
	fill_part(f, start, first, rung + 1);
	fill_part(f, got, last, rung + 1);
	fill_part(f, last, end, rung + 1);
}

static void fill_part(const struct fill *f, char *start, char *end,
		      unsigned int rung)
{
	enum hp_reason reason;

	if (start >= end || rung >= f->ask->nrungs)
		return;
	if (f->ask->rungs[rung] != HP_THP) {
		fill_pool(f, start, end, rung);
		return;
	}
	reason = hp_region_advise(start, (size_t)(end - start));
	if (reason == HP_REASON_NONE)
		return;
	hp_region_mark(f->region, start, end, reason);
	fill_part(f, start, end, rung + 1);
}

/* hugetlb wants whole pages of its own; everything else goes by slots */
static size_t granule(const struct hp_region_ask *ask)
{
	return hp_max(ask->strict ? ask->rungs[0] : 0, hp_slot_size());
}

/* the largest page that fits in: a start on a multiple of it is worth having */
static size_t wish(const struct hp_region_ask *ask)
{
	size_t best = 0;

	for (unsigned int i = 0; i < ask->nrungs; i++)
		if (ask->rungs[i] <= ask->len)
			best = hp_max(best, ask->rungs[i]);
	return best;
}

static bool strict_pool_met(const struct hp_region *r,
			    const struct hp_region_ask *ask)
{
	if (!ask->strict || ask->rungs[0] == HP_THP)
		return true;
	for (size_t i = 0; i < r->nslots; i++)
		if (!r->slots[i].hugetlb)
			return false;
	return true;
}

static int prepare(char *addr, const struct hp_region_ask *ask, size_t len)
{
	int ret = hp_linux_protect(addr, len, PROT_READ | PROT_WRITE);

	return ret ? ret : hp_region_bind(ask, addr, len);
}

int hp_region_private(struct hp_region **out, const struct hp_region_ask *ask)
{
	const struct hp_region_want *want = &ask->want;
	struct hp_location place;
	struct fill fill = {ask, NULL};
	long at;
	int ret = hp_locate_plan(&place, ask->len, granule(ask), want->align,
				 want->offset);

	if (ret)
		return ret;
	at = hp_locate_reserve(&place, wish(ask));
	if (hp_linux_failed(at))
		return -ENOMEM;
	ret = prepare((char *)at, ask, place.len);
	if (ret)
		goto unmap;
	ask->progress->total = place.len;
	ret = -ENOMEM;
	fill.region = hp_region_new((char *)at, place.len, -EBADF);
	if (!fill.region)
		goto unmap;
	fill_part(&fill, (char *)at, (char *)at + place.len, 0);
	if (!strict_pool_met(fill.region, ask))
		goto free_region;
	*out = fill.region;
	return 0;

free_region:
	free(fill.region);
unmap:
	hp_linux_unmap((void *)at, place.len);
	return ret;
}
