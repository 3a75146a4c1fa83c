/* SPDX-License-Identifier: MIT */
#include "libhp/backing.h"
#include "libhp/common.h"
#include "libhp/smaps.h"

struct query {
	uint64_t start, end;
	struct hp_backing *out;
};

static uint64_t overlap(const struct query *q, const struct hp_smaps *m)
{
	uint64_t from = hp_max(m->start, q->start);
	uint64_t to = hp_min(m->end, q->end);

	return from < to ? to - from : 0;
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
	uint64_t part = overlap(q, m);

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
	struct hp_backing found = {.source = HP_SOURCE_SMAPS};
	struct query q = {start, end, &found};
	int ret = hp_smaps_visit_self("smaps", add_smaps, &q);

	if (ret == 0)
		*out = found;
	return ret;
}
