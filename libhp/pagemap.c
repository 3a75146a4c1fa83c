/* SPDX-License-Identifier: MIT */
#include "libhp/pagemap.h"

#include <errno.h>

#include "libhp/common.h"
#include "libhp/linux.h"

/* of an entry */
#define PRESENT (1ULL << 63)
#define OF_FILE (1ULL << 61) /* or of shared memory */
#define EXCLUSIVE                                                              \
	(1ULL << 56) /* mapped here only, which the zero page is not */

#define CHUNK 512 /* entries read at a time, 4 KiB of stack */

typedef void (*entry_fn)(uint64_t addr, uint64_t entry, void *arg);

static int each_entry(int fd, uint64_t at, uint64_t end, entry_fn fn, void *arg)
{
	size_t page = hp_linux_page_size();
	uint64_t entries[CHUNK] = {0};

	while (at < end) {
		size_t n = hp_min((end - at) / page, CHUNK);
		ssize_t ret =
			hp_linux_read_at(fd, entries, n * sizeof(*entries),
					 at / page * sizeof(*entries));

		if (ret < (ssize_t)sizeof(*entries))
			return ret < 0 ? (int)ret : -EIO;
		n = (size_t)ret / sizeof(*entries);
		for (size_t i = 0; i < n; i++, at += page)
			fn(at, entries[i], arg);
	}
	return 0;
}

/* a page table of 8-byte entries is a page, and maps a slot */
uint64_t hp_pagemap_slot(void)
{
	return (uint64_t)hp_linux_page_size() / 8 * hp_linux_page_size();
}

static void take_entry(uint64_t addr, uint64_t entry, void *arg)
{
	(void)addr;
	*(uint64_t *)arg = entry;
}

bool hp_pagemap_is_own(int fd, uint64_t addr)
{
	uint64_t entry = 0;

	(void)each_entry(fd, addr, addr + hp_linux_page_size(), take_entry,
			 &entry);
	return entry & PRESENT && entry & EXCLUSIVE;
}

/* pages; those that may be the zero page, which smaps leaves out, apart */
struct census {
	const struct hp_pagemap *m;
	uint64_t slot, page;
	uint64_t here, here_maybe; /* of the slot at hand */
	uint64_t present, maybe;
	uint64_t full, full_maybe; /* slots */
};

/* the huge one shows as a file's; the small one as nobody's, as after fork */
static bool may_be_zero(const struct hp_pagemap *m, uint64_t entry)
{
	return entry & OF_FILE ? m->anonymous : !(entry & EXCLUSIVE);
}

static void count_entry(uint64_t addr, uint64_t entry, void *arg)
{
	struct census *c = arg;

	if (addr % c->slot == 0)
		c->here = c->here_maybe = 0;
	if (!(entry & PRESENT))
		return;
	c->present++;
	c->here++;
	if (may_be_zero(c->m, entry)) {
		c->maybe++;
		c->here_maybe++;
	}
	if (c->here == c->slot / c->page) {
		c->full++;
		c->full_maybe += c->here_maybe == c->here;
	}
}

static struct census new_census(const struct hp_pagemap *m)
{
	return (struct census){.m = m,
			       .slot = hp_pagemap_slot(),
			       .page = hp_linux_page_size()};
}

static int judge(int fd, struct hp_pagemap *m)
{
	struct census c = new_census(m);
	int ret;

	m->judged = true;
	if (m->hugetlb)
		return 0; /* whatever is present is huge */
	ret = each_entry(fd, m->start, m->end, count_entry, &c);
	if (ret < 0)
		return ret;
	m->zero = c.maybe > 0 && (c.present - c.maybe) * c.page == m->rss;
	m->full = (m->zero ? c.full - c.full_maybe : c.full) * c.slot;
	if (m->thp == 0)
		m->kind = HP_FULL_SMALL;
	else
		m->kind = m->thp >= m->full ? HP_FULL_HUGE : HP_FULL_UNSURE;
	return 0;
}

struct visit {
	const struct hp_pagemap *m;
	hp_extent_fn fn;
	void *arg;
	struct hp_extent now; /* not yet told; empty: none */
};

static void tell(struct visit *v)
{
	if (v->now.end > v->now.start)
		v->fn(&v->now, v->arg);
	v->now.end = v->now.start = 0;
}

static void add(struct visit *v, const struct hp_extent *e)
{
	if (v->now.end == e->start && v->now.huge == e->huge &&
	    v->now.unsure == e->unsure) {
		v->now.end = e->end;
		return;
	}
	tell(v);
	v->now = *e;
}

static void add_entry(uint64_t addr, uint64_t entry, void *arg)
{
	struct visit *v = arg;
	struct hp_extent e = {.start = addr,
			      .end = addr + hp_linux_page_size(),
			      .huge = v->m->hugetlb};

	if (entry & PRESENT && !(v->m->zero && may_be_zero(v->m, entry)))
		add(v, &e);
}

/* 1: the slot at @start has all its pages; 0: not; -errno */
static int is_full(int fd, const struct hp_pagemap *m, uint64_t start)
{
	struct census c = new_census(m);
	int ret;

	if (m->hugetlb || start < m->start || start + c.slot > m->end)
		return 0;
	ret = each_entry(fd, start, start + c.slot, count_entry, &c);
	if (ret < 0)
		return ret;
	return c.full > (m->zero ? c.full_maybe : 0);
}

/* [@start, @end) lies within one slot */
static int visit_slot(int fd, struct visit *v, uint64_t start, uint64_t end)
{
	struct hp_extent e = {
		.start = start,
		.end = end,
		.huge = v->m->kind == HP_FULL_HUGE,
		.unsure = v->m->kind == HP_FULL_UNSURE,
		.confirmed = v->m->believed == v->m->thp,
	};
	int ret = 0;

	if (v->m->kind != HP_FULL_SMALL)
		ret = is_full(fd, v->m,
			      hp_align_down(start, hp_pagemap_slot()));
	if (ret == 0)
		return each_entry(fd, start, end, add_entry, v);
	if (ret > 0)
		add(v, &e);
	return hp_min(ret, 0);
}

int hp_pagemap_visit(int fd, struct hp_pagemap *m, uint64_t start, uint64_t end,
		     hp_extent_fn fn, void *arg)
{
	struct visit v = {.m = m, .fn = fn, .arg = arg};
	int ret = m->judged ? 0 : judge(fd, m);

	while (ret == 0 && start < end) {
		uint64_t next = hp_align_down(start, hp_pagemap_slot()) +
				hp_pagemap_slot();

		ret = visit_slot(fd, &v, start, hp_min(next, end));
		start = next;
	}
	tell(&v);
	return ret;
}
