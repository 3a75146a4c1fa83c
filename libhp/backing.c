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

static void hand_over(const struct hp_scan_range *ranges, int n,
		      hp_extent_fn fn, void *arg)
{
	for (int i = 0; i < n; i++) {
		if (ranges[i].categories & HP_SCAN_ZERO)
			continue;
		fn(&(struct hp_extent){ranges[i].start, ranges[i].end,
				       ranges[i].categories & HP_SCAN_HUGE},
		   arg);
	}
}

int hp_backing_scan(int pagemap, uint64_t start, uint64_t end, hp_extent_fn fn,
		    void *arg)
{
	/* cleared for valgrind, which does not know what the call writes */
	struct hp_scan_range ranges[SCAN_RANGES] = {0};
	size_t page = hp_linux_page_size();
	uint64_t at = hp_align_down(start, page);
	uint64_t to = hp_align_up(end, page);

	while (at < to) {
		uint64_t walked = at;
		int n = hp_linux_scan(pagemap, at, to, HP_SCAN_PRESENT,
				      HP_SCAN_HUGE | HP_SCAN_ZERO, ranges,
				      SCAN_RANGES, &walked);

		if (n < 0)
			return n;
		if (walked <= at)
			return -EIO;
		hand_over(ranges, n, fn, arg);
		at = walked;
	}
	return 0;
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

/* what of a hugetlb mapping is present */
static void add_hugetlb(const struct hp_mapping *m, void *arg)
{
	struct query *q = arg;
	struct hp_backing part = {0};

	if (!m->hugetlb || q->err)
		return;
	q->err = hp_backing_scan(q->pagemap, hp_max(m->start, q->start),
				 hp_min(m->end, q->end), add_extent, &part);
	q->out->hugetlb += part.present;
}

/* only huge memory can be hugetlb, so small pages cost one walk */
static int scan_query(struct query *q)
{
	int ret = hp_backing_scan(q->pagemap, q->start, q->end, add_extent,
				  q->out);

	if (ret == 0 && q->out->huge)
		ret = hp_mapping_visit(q->start, q->end, add_hugetlb, q);
	return ret ? ret : q->err;
}

static int ask_pagemap(uint64_t start, uint64_t end, struct hp_backing *out)
{
	struct hp_backing found = {.source = HP_SOURCE_PAGEMAP_SCAN};
	struct query q = {.start = start, .end = end, .out = &found};
	int ret;

	q.pagemap = hp_backing_open();
	if (q.pagemap < 0)
		return q.pagemap;
	ret = scan_query(&q);
	hp_linux_close(q.pagemap);
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
