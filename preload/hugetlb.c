/* SPDX-License-Identifier: MIT */
#include "preload/hugetlb.h"

#include <errno.h>
#include <string.h>

#include "libhp/demote.h"
#include "libhp/heap.h"
#include "libhp/linux.h"
#include "libhp/part.h"

struct pages {
	uintptr_t start, end;
};

/* the pages a call means; false: none of them is on hugetlb */
static bool held(const void *addr, size_t len, struct pages *out)
{
	if (!hp_heap.pool || len > SIZE_MAX / 2)
		return false;
	out->start = hp_align_down((uintptr_t)addr, hp_heap.slots.page);
	out->end = hp_align_up((uintptr_t)addr + len, hp_heap.slots.page);
	return hp_demote_held(&hp_heap, out->start, out->end);
}

/* @border of a range cuts the page that @inside, a page of the range, is on */
static bool is_cut(uintptr_t border, uintptr_t inside)
{
	const struct hp_slots *s = &hp_heap.slots;
	const struct hp_slot *slot;

	if (!hp_demote_held(&hp_heap, inside, inside + s->page))
		return false;
	slot = hp_slots_at(s, hp_slots_index(s, inside));
	return border & (s->slot - 1) || slot->flags & HP_SLOT_GIANT;
}

/* false: it cannot be now */
static bool heal(uintptr_t border, uintptr_t inside)
{
	return !is_cut(border, inside) ||
	       hp_demote_range(&hp_heap, inside, inside + hp_heap.slots.page);
}

void hp_hugetlb_cut(const void *addr, size_t len)
{
	struct pages p;

	if (held(addr, len, &p) && heal(p.start, p.start))
		heal(p.end, p.end - hp_heap.slots.page);
}

bool hp_hugetlb_yields(long ret, const void *addr, size_t len)
{
	struct pages p;

	return ret == -EINVAL && held(addr, len, &p) &&
	       hp_demote_range(&hp_heap, p.start, p.end);
}

bool hp_hugetlb_leaves(const void *addr, size_t len)
{
	struct pages p;

	return !held(addr, len, &p) ||
	       hp_demote_range(&hp_heap, p.start, p.end) ||
	       ((p.start | p.end) & (hp_heap.slots.slot - 1)) == 0;
}

/* what a page that cannot be paged out or collapsed may leave undone */
static bool is_hint(int advice)
{
	switch (advice) {
	case MADV_NORMAL:
	case MADV_RANDOM:
	case MADV_SEQUENTIAL:
	case MADV_WILLNEED:
	case MADV_FREE:
	case MADV_COLD:
	case MADV_PAGEOUT:
	case MADV_HUGEPAGE:
	case MADV_NOHUGEPAGE:
	case MADV_COLLAPSE:
		return true;
	default:
		return false;
	}
}

static bool drops(int advice)
{
	return advice == MADV_DONTNEED || advice == MADV_DONTNEED_LOCKED;
}

static long advise_part(const struct hp_part *p, int advice,
			hp_hugetlb_advise_fn small)
{
	struct hp_slot *slot = hp_part_slot(&hp_heap.slots, p);
	void *addr = (void *)hp_part_addr(&hp_heap.slots, p);
	size_t len = (size_t)p->len << hp_heap.slots.page_shift;

	if (slot->state != HP_SLOT_HUGETLB || slot->flags & HP_SLOT_ADVICE)
		return small(addr, len, advice);
	/* gone from the pool it might not come back when it is touched */
	if (drops(advice))
		memset(addr, 0, len);
	return 0;
}

bool hp_hugetlb_advise(const void *addr, size_t len, int advice,
		       hp_hugetlb_advise_fn small, long *ret)
{
	struct hp_part part;
	struct pages p;

	if ((!drops(advice) && !is_hint(advice)) || !held(addr, len, &p) ||
	    p.start != (uintptr_t)addr ||
	    p.start - hp_heap.slots.base >= hp_heap.slots.bytes ||
	    p.end > hp_heap.slots.base + hp_heap.slots.bytes)
		return false;
	*ret = 0;
	while (*ret == 0 &&
	       hp_part_next(&hp_heap.slots, &p.start, p.end, &part))
		*ret = advise_part(&part, advice, small);
	return true;
}
