/* SPDX-License-Identifier: MIT */
#include "libhp/backing.h"

#include <fcntl.h>

#include "libhp/common.h"
#include "libhp/linux.h"

#define SCAN_RANGES 128 /* 3 KiB of stack */

/* thread-self, as self is empty once the first thread has left */
int hp_backing_open(void)
{
	return hp_linux_open("/proc/thread-self/pagemap", O_RDONLY, 0);
}

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
	to->fn(&(struct hp_extent){range->start, range->end,
				   range->categories & HP_SCAN_HUGE},
	       to->arg);
}

int hp_backing_scan(int pagemap, uint64_t start, uint64_t end, hp_extent_fn fn,
		    void *arg)
{
	static const struct hp_scan_want present = {
		.all = HP_SCAN_PRESENT,
		.report = HP_SCAN_HUGE | HP_SCAN_ZERO,
	};
	struct receiver to = {fn, arg};
	size_t page = hp_linux_page_size();

	return each_range(pagemap, hp_align_down(start, page),
			  hp_align_up(end, page), &present, hand_over, &to);
}

int hp_backing_visit(uint64_t start, uint64_t end, hp_extent_fn fn, void *arg)
{
	int pagemap = hp_backing_open();
	int ret = pagemap;

	if (pagemap < 0)
		return ret;
	ret = hp_backing_scan(pagemap, start, end, fn, arg);
	hp_linux_close(pagemap);
	return ret;
}

/* the walk of one query */
struct query {
	uint64_t start, end;
	int pagemap;
	int err;
	struct hp_backing *out;
};

static void add_extent(const struct hp_extent *e, void *arg)
{
	struct hp_backing *out = arg;
	uint64_t bytes = e->end - e->start;

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

static void add_mapping(const struct hp_mapping *m, void *arg)
{
	struct query *q = arg;
	uint64_t start = hp_max(m->start, q->start);
	uint64_t end = hp_min(m->end, q->end);
	struct hp_backing part = {0};

	if (q->err)
		return;
	if (m->plain && !m->hugetlb)
		q->err = count_plain(q->pagemap, start, end, &part);
	else
		q->err = hp_backing_scan(q->pagemap, start, end, add_extent,
					 &part);
	q->out->present += part.present;
	q->out->huge += part.huge;
	if (m->hugetlb)
		q->out->hugetlb += part.present;
}

static int ask_pagemap(uint64_t start, uint64_t end, struct hp_backing *out)
{
	struct hp_backing found = {.source = HP_SOURCE_PAGEMAP_SCAN};
	struct query q = {.start = start, .end = end, .out = &found};
	int ret;

	q.pagemap = hp_backing_open();
	if (q.pagemap < 0)
		return q.pagemap;
	ret = hp_mapping_visit(start, end, add_mapping, &q);
	hp_linux_close(q.pagemap);
	ret = ret ? ret : q.err;
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
