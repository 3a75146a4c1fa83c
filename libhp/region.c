/* SPDX-License-Identifier: MIT */
#include "libhp/region.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/cause.h"
#include "libhp/gate.h"
#include "libhp/linux.h"
#include "libhp/span.h"

static size_t default_rungs[HP_LADDER_MAX] = {HP_THP};
static unsigned int default_nrungs = 1;

void hp_region_default_ladder(const size_t *rungs, unsigned int n)
{
	default_nrungs = n < HP_LADDER_MAX ? n : HP_LADDER_MAX;
	memcpy(default_rungs, rungs, default_nrungs * sizeof(*rungs));
}

struct hp_region *hp_region_new(char *addr, size_t len, int fd)
{
	size_t slot = hp_slot_size();
	uintptr_t start = (uintptr_t)addr;
	size_t n =
		(hp_align_up(start + len, slot) - hp_align_down(start, slot)) /
		slot;
	struct hp_region *r = calloc(1, sizeof(*r) + n * sizeof(r->slots[0]));

	if (!r)
		return NULL;
	r->addr = addr;
	r->len = len;
	r->fd = fd;
	r->slot = slot;
	r->nslots = n;
	if (!hp_is_aligned(start, slot))
		r->slots[0].reason = HP_REASON_UNALIGNED;
	if (!hp_is_aligned(start + len, slot))
		r->slots[n - 1].reason = HP_REASON_UNALIGNED;
	return r;
}

/* the slots that lie wholly between @start and @end, as indices */
static size_t first_slot(const struct hp_region *r, const char *start)
{
	return (hp_align_up((uintptr_t)start, r->slot) -
		hp_align_down((uintptr_t)r->addr, r->slot)) /
	       r->slot;
}

static size_t end_slot(const struct hp_region *r, const char *end)
{
	return (hp_align_down((uintptr_t)end, r->slot) -
		hp_align_down((uintptr_t)r->addr, r->slot)) /
	       r->slot;
}

void hp_region_mark(struct hp_region *r, const char *start, const char *end,
		    enum hp_reason reason)
{
	for (size_t i = first_slot(r, start); i < end_slot(r, end); i++)
		if (r->slots[i].reason == HP_REASON_NONE)
			r->slots[i].reason = (uint8_t)reason;
}

void hp_region_mark_pool(struct hp_region *r, const char *start,
			 const char *end)
{
	for (size_t i = first_slot(r, start); i < end_slot(r, end); i++)
		r->slots[i].hugetlb = true;
}

static bool size_ok(size_t size)
{
	return size == HP_THP ||
	       (hp_is_pow2(size) && size > hp_linux_page_size());
}

static int take_ladder(struct hp_region_ask *ask)
{
	const size_t *rungs = ask->want.ladder;
	size_t n = ask->want.nladder;

	if (n == 0) {
		rungs = default_rungs;
		n = default_nrungs;
	}
	if (n > HP_LADDER_MAX || !rungs)
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (!size_ok(rungs[i]))
			return -EINVAL;
		ask->rungs[i] = rungs[i];
	}
	ask->nrungs = ask->strict ? 1 : (unsigned int)n;
	if (ask->strict && rungs[0] != HP_THP &&
	    !hp_is_aligned(ask->want.offset, rungs[0]))
		return -EINVAL; /* its first page could not be of the kind */
	return 0;
}

static int make_ask(struct hp_region_ask *ask, size_t len,
		    const struct hp_region_want *want)
{
	const unsigned int known =
		HP_REGION_STRICT | HP_REGION_SHARED | HP_REGION_PREFAULT;

	memset(ask, 0, sizeof(*ask));
	if (want)
		ask->want = *want;
	if (ask->want.flags & ~known)
		return -EINVAL;
	ask->len = len;
	ask->strict = ask->want.flags & HP_REGION_STRICT;
	ask->populate = ask->want.flags & HP_REGION_PREFAULT;
	return take_ladder(ask);
}

/* is every whole slot huge? asks the kernel, after some more persuasion */
static bool all_huge(const struct hp_region *r)
{
	struct hp_span whole;

	if (hp_span_inside((uintptr_t)r->addr, r->len, r->slot, &whole) ||
	    whole.n == 0)
		return false;
	if (hp_span_huge(&whole) == (long)whole.n)
		return true;
	return hp_promote(r->addr, r->len) == (long)whole.n;
}

/* what seemed to forbid it was no hindrance to the collapse */
static int prove(struct hp_region *r)
{
	if (!all_huge(r))
		return -ENOMEM;
	for (size_t i = 0; i < r->nslots; i++)
		if (r->slots[i].reason != HP_REASON_UNALIGNED)
			r->slots[i].reason = HP_REASON_NONE;
	return 0;
}

/* strict THP is touched to be seen; strict hugetlb was found out already */
static int finish(struct hp_region *r, const struct hp_region_ask *ask)
{
	bool verify = ask->strict && ask->rungs[0] == HP_THP;
	struct hp_region_part all = {r->addr, r->len, 0, r->slot, false};

	if ((ask->populate || verify) && hp_region_touch(ask, &all))
		return -ENOMEM;
	return verify ? prove(r) : 0;
}

static void destroy(struct hp_region *r)
{
	hp_gate_enter();
	hp_linux_unmap(r->addr, r->len);
	hp_gate_leave();
	if (r->fd >= 0)
		hp_linux_close(r->fd);
}

HP_EXPORT int hp_region_open(struct hp_region **out, size_t len,
			     const struct hp_region_want *want)
{
	struct hp_region_progress progress = {0};
	struct hp_region_ask ask;
	struct hp_region *r;
	int ret = make_ask(&ask, len, want);

	assert(out);
	if (ret)
		return ret;
	ask.progress = &progress;
	hp_cause_start();
	if (ask.want.flags & HP_REGION_SHARED)
		ret = hp_region_shared(&r, &ask);
	else
		ret = hp_region_private(&r, &ask);
	if (ret)
		return ret;
	ret = finish(r, &ask);
	if (ret) {
		destroy(r);
		free(r);
		return ret;
	}
	hp_region_list_add(r);
	*out = r;
	return 0;
}

HP_EXPORT void *hp_region_addr(const struct hp_region *region)
{
	assert(region);
	return region->addr;
}

HP_EXPORT size_t hp_region_len(const struct hp_region *region)
{
	assert(region);
	return region->len;
}

HP_EXPORT int hp_region_fd(const struct hp_region *region)
{
	assert(region);
	return region->fd;
}

HP_EXPORT enum hp_reason hp_region_reason(const struct hp_region *region,
					  size_t index)
{
	assert(region);
	if (index >= region->nslots)
		return HP_REASON_UNKNOWN;
	return (enum hp_reason)region->slots[index].reason;
}

HP_EXPORT void hp_region_close(struct hp_region *region)
{
	bool unlisted;

	if (!region)
		return;
	unlisted = hp_region_list_remove(region);
	destroy(region);
	if (unlisted)
		free(region);
}
