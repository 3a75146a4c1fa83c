/* SPDX-License-Identifier: MIT */
#include "libhp/backing.h"

#include <fcntl.h>

#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/machine.h"
#include "libhp/mapping.h"
#include "libhp/smaps.h"

#define SCAN_RANGES 128 /* 3 KiB of stack */

struct range {
	uint64_t start, end;
};

static uint64_t overlap(const struct range *r, uint64_t start, uint64_t end)
{
	uint64_t from = start > r->start ? start : r->start;
	uint64_t to = end < r->end ? end : r->end;

	return from < to ? to - from : 0;
}

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
		fn(&(struct hp_extent){ ranges[i].start, ranges[i].end,
					ranges[i].categories & HP_SCAN_HUGE },
		   arg);
	}
}

int hp_backing_scan(int pagemap, uint64_t start, uint64_t end, hp_extent_fn fn,
		    void *arg)
{
	struct hp_scan_range ranges[SCAN_RANGES];
	size_t page = hp_machine()->base;
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

struct sum {
	struct range range;
	uint64_t bytes;
};

static void add_mapping(const struct hp_mapping *m, void *arg)
{
	struct sum *sum = arg;

	if (m->hugetlb)
		sum->bytes += overlap(&sum->range, m->start, m->end);
}

int hp_backing_hugetlb(uint64_t start, uint64_t end, uint64_t *out)
{
	struct sum sum = { { start, end }, 0 };
	int ret = hp_mapping_visit(start, end, add_mapping, &sum);

	if (ret == 0)
		*out = sum.bytes;
	return ret;
}

/* the walk of one query */
struct query {
	struct range range;
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
	struct hp_backing part = { 0 };
	struct range r = q->range;

	if (!m->hugetlb || q->err)
		return;
	r.start = m->start > r.start ? m->start : r.start;
	r.end = m->end < r.end ? m->end : r.end;
	q->err = hp_backing_scan(q->pagemap, r.start, r.end, add_extent, &part);
	q->out->hugetlb += part.present;
}

/* only huge memory can be hugetlb, so small pages cost one walk */
static int scan_query(struct query *q)
{
	int ret = hp_backing_scan(q->pagemap, q->range.start, q->range.end,
				  add_extent, q->out);

	if (ret == 0 && q->out->huge)
		ret = hp_mapping_visit(q->range.start, q->range.end,
				       add_hugetlb, q);
	return ret ? ret : q->err;
}

static int ask_pagemap(const struct range *range, struct hp_backing *out)
{
	struct hp_backing found = { .source = HP_SOURCE_PAGEMAP_SCAN };
	struct query q = { .range = *range, .out = &found };
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

/* @part: bytes of @m in the range; all of one kind, or it is not known */
static void add_part(const struct hp_smaps *m, uint64_t part,
		     struct hp_backing *out)
{
	uint64_t size = m->end - m->start;
	uint64_t huge = m->thp + m->hugetlb;
	uint64_t present = m->rss + m->hugetlb;

	if (present == 0)
		return;
	if (present != size || (huge != size && huge != 0)) {
		out->unknown += part;
		return;
	}
	out->present += part;
	if (huge)
		out->huge += part;
	if (m->hugetlb)
		out->hugetlb += part;
}

static void add_smaps(const struct hp_smaps *m, void *arg)
{
	struct query *q = arg;
	uint64_t part = overlap(&q->range, m->start, m->end);

	if (part == 0)
		return;
	if (part < m->end - m->start) {
		add_part(m, part, q->out);
		return;
	}
	q->out->present += m->rss + m->hugetlb;
	q->out->huge += m->thp + m->hugetlb;
	q->out->hugetlb += m->hugetlb;
}

int hp_backing_smaps(uint64_t start, uint64_t end, struct hp_backing *out)
{
	struct hp_backing found = { .source = HP_SOURCE_SMAPS };
	struct query q = { .range = { start, end }, .out = &found };
	int ret = hp_smaps_visit("/proc/self/smaps", add_smaps, &q);

	if (ret == 0)
		*out = found;
	return ret;
}

HP_EXPORT int hp_backing_query(const void *addr, size_t len,
			       struct hp_backing *out)
{
	size_t page = hp_machine()->base;
	struct range r = { hp_align_down((uintptr_t)addr, page), 0 };
	uint64_t end;

	if (__builtin_add_overflow((uintptr_t)addr, len, &end))
		return -EINVAL;
	r.end = hp_align_up(end, page);
	if (r.end < end)
		return -EINVAL;
	if (len == 0)
		r.end = r.start;
	if (ask_pagemap(&r, out) == 0)
		return 0;
	if (hp_backing_smaps(r.start, r.end, out) == 0)
		return 0;
	*out = (struct hp_backing){ .unknown = r.end - r.start };
	return 0;
}
