/* SPDX-License-Identifier: MIT */
#include "libhp/backing.h"

#include <errno.h>

#include "libhp/common.h"
#include "libhp/linux.h"

#define SCAN_RANGES 128 /* 3 KiB of stack */

typedef void (*range_fn)(const struct hp_scan_range *range, void *arg);

static int each_range(int pagemap, uint64_t at, uint64_t end,
		      const struct hp_scan_want *want, range_fn fn, void *arg)
{
	/* cleared for valgrind, which does not know what the call writes */
	struct hp_scan_range ranges[SCAN_RANGES] = {0};

	while (at < end) {
		uint64_t walked = at;
		int n = hp_linux_scan(pagemap, at, end, want, ranges,
				      SCAN_RANGES, &walked);

		if (n < 0)
			return n;
		if (walked <= at)
			return -EIO;
		for (int i = 0; i < n; i++)
			fn(&ranges[i], arg);
		at = walked;
	}
	return 0;
}

struct receiver {
	hp_extent_fn fn;
	void *arg;
};

static void hand_over(const struct hp_scan_range *range, void *arg)
{
	const struct receiver *to = arg;

	if (range->categories & HP_SCAN_ZERO)
		return;
	to->fn(&(struct hp_extent){.start = range->start,
				   .end = range->end,
				   .huge = range->categories & HP_SCAN_HUGE},
	       to->arg);
}

static int visit_scanned(int pagemap, uint64_t start, uint64_t end,
			 hp_extent_fn fn, void *arg)
{
	static const struct hp_scan_want present = {
		.all = HP_SCAN_PRESENT,
		.report = HP_SCAN_HUGE | HP_SCAN_ZERO,
	};
	struct receiver to = {fn, arg};

	return each_range(pagemap, start, end, &present, hand_over, &to);
}

static int visit_listed(struct hp_backing_view *view, uint64_t start,
			uint64_t end, hp_extent_fn fn, void *arg)
{
	struct hp_pagemap *m = hp_mappings_at(&view->mappings, start);
	int ret = 0;

	while (ret == 0 && m && m->start < end) {
		ret = hp_pagemap_visit(view->pagemap, m,
				       hp_max(m->start, start),
				       hp_min(m->end, end), fn, arg);
		m = hp_mappings_at(&view->mappings, m->end);
	}
	return ret;
}

int hp_backing_scan(struct hp_backing_view *view, uint64_t start, uint64_t end,
		    hp_extent_fn fn, void *arg)
{
	size_t page = hp_linux_page_size();

	start = hp_align_down(start, page);
	end = hp_align_up(end, page);
	if (view->scans)
		return visit_scanned(view->pagemap, start, end, fn, arg);
	return visit_listed(view, start, end, fn, arg);
}

void hp_backing_believe(struct hp_backing_view *view, uint64_t addr)
{
	struct hp_pagemap *m = hp_mappings_at(&view->mappings, addr);

	if (m && m->start <= addr)
		m->believed += hp_pagemap_slot();
}

static void add_extent(const struct hp_extent *e, void *arg)
{
	struct hp_backing *out = arg;
	uint64_t bytes = e->end - e->start;

	if (e->unsure) {
		out->unknown += bytes;
		return;
	}
	out->present += bytes;
	if (e->huge)
		out->huge += bytes;
}

static void take_off(const struct hp_scan_range *range, void *arg)
{
	struct hp_backing *out = arg;
	uint64_t bytes = range->end - range->start;

	if (range->categories == (HP_SCAN_PRESENT | HP_SCAN_HUGE))
		out->huge += bytes;
	else
		out->present -= bytes;
}

/*
 * Of [start, end), all of it in one plain mapping: the small pages are what
 * nothing is reported of, which costs the kernel half of reporting them.
 */
static int count_plain(int pagemap, uint64_t start, uint64_t end,
		       struct hp_backing *out)
{
	static const struct hp_scan_want other_than_small = {
		.any = HP_SCAN_PRESENT | HP_SCAN_ZERO | HP_SCAN_HUGE,
		.inverted = HP_SCAN_PRESENT,
		.report = HP_SCAN_PRESENT | HP_SCAN_ZERO | HP_SCAN_HUGE,
	};

	out->present += end - start;
	return each_range(pagemap, start, end, &other_than_small, take_off,
			  out);
}

/* of full slots that are huge or not, it is at least known how many are */
static void settle(const struct hp_pagemap *m, struct hp_backing *part)
{
	uint64_t outside = m->full - part->unknown;
	uint64_t most = hp_min(m->thp, part->unknown);
	uint64_t least = m->thp > outside ? m->thp - outside : 0;

	part->huge += least;
	part->present += least + (part->unknown - most);
	part->unknown = most - least;
}

static int ask_mapping(struct hp_backing_view *view, const struct hp_mapping *m,
		       struct hp_backing *out)
{
	struct hp_backing part = {0};
	int ret;

	if (view->scans && m->plain && !m->hugetlb)
		ret = count_plain(view->pagemap, m->start, m->end, &part);
	else
		ret = hp_backing_scan(view, m->start, m->end, add_extent,
				      &part);
	if (part.unknown)
		settle(hp_mappings_at(&view->mappings, m->start), &part);
	out->present += part.present;
	out->huge += part.huge;
	out->unknown += part.unknown;
	if (m->hugetlb)
		out->hugetlb += part.present;
	return ret;
}

static int ask_mappings(struct hp_backing_view *view, uint64_t start,
			uint64_t end, struct hp_backing *out)
{
	while (start < end) {
		struct hp_mapping m;
		int ret = hp_backing_mapping(view, start, &m);

		if (ret == -ENOENT || (ret == 0 && m.start >= end))
			return 0;
		if (ret < 0)
			return ret;
		m.start = hp_max(m.start, start);
		start = m.end;
		m.end = hp_min(m.end, end);
		ret = ask_mapping(view, &m, out);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int ask_pagemap(uint64_t start, uint64_t end, struct hp_backing *out)
{
	struct hp_backing found = {0};
	struct hp_backing_view view;
	int ret = hp_backing_open(&view);

	if (ret < 0)
		return ret;
	found.source = view.scans ? HP_SOURCE_PAGEMAP_SCAN : HP_SOURCE_PAGEMAP;
	ret = ask_mappings(&view, start, end, &found);
	hp_backing_close(&view);
	if (ret == 0)
		*out = found;
	return ret;
}

HP_EXPORT int hp_backing_query(const void *addr, size_t len,
			       struct hp_backing *out)
{
	size_t page = hp_linux_page_size();
	uint64_t start = hp_align_down((uintptr_t)addr, page), last, end;

	if (__builtin_add_overflow((uintptr_t)addr, len, &last))
		return -EINVAL;
	end = len > 0 ? hp_align_up(last, page) : start;
	if (end < last && len > 0)
		return -EINVAL;
	if (ask_pagemap(start, end, out) && hp_backing_smaps(start, end, out))
		*out = (struct hp_backing){.unknown = end - start};
	return 0;
}
