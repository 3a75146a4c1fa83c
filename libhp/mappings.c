/* SPDX-License-Identifier: MIT */
#include "libhp/mappings.h"

#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/smaps.h"

#define FIRST_ROOM 256 /* mappings */

static int grow(struct hp_mappings *m)
{
	size_t room = m->room ? 2 * m->room : FIRST_ROOM;
	size_t len = room * sizeof(*m->list);
	long ret;

	if (m->room)
		ret = hp_linux_remap(m->list, m->room * sizeof(*m->list), len,
				     MREMAP_MAYMOVE, NULL);
	else
		ret = hp_linux_map(NULL, len, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hp_linux_failed(ret))
		return (int)ret;
	m->list = (struct hp_pagemap *)ret;
	m->room = room;
	return 0;
}

struct reading {
	struct hp_mappings *m;
	int err;
};

static void take(const struct hp_smaps *s, void *arg)
{
	struct reading *r = arg;

	if (!r->err && r->m->n == r->m->room)
		r->err = grow(r->m);
	if (r->err)
		return;
	r->m->list[r->m->n++] = (struct hp_pagemap){
		.start = s->start,
		.end = s->end,
		.rss = s->rss,
		.thp = s->thp,
		.hugetlb = s->is_hugetlb,
		.anonymous = !s->file && !s->shared,
	};
}

int hp_mappings_read(struct hp_mappings *m)
{
	struct reading r = {.m = m};
	int ret;

	*m = (struct hp_mappings){0};
	ret = hp_smaps_visit_self("smaps", take, &r);
	ret = ret ? ret : r.err;
	if (ret)
		hp_mappings_forget(m);
	return ret;
}

void hp_mappings_forget(struct hp_mappings *m)
{
	if (m->room)
		hp_linux_unmap(m->list, m->room * sizeof(*m->list));
	*m = (struct hp_mappings){0};
}

struct hp_pagemap *hp_mappings_at(const struct hp_mappings *m, uint64_t addr)
{
	size_t from = 0, to = m->n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (m->list[middle].end > addr)
			to = middle;
		else
			from = middle + 1;
	}
	return from < m->n ? &m->list[from] : NULL;
}
