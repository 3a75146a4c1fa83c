/* SPDX-License-Identifier: MIT */
#include "libhp/tally.h"

#include "libhp/backing.h"
#include "libhp/common.h"

enum kind { ABSENT, SMALL, HUGE, UNSURE, CONFIRMED };

static void count_slot(struct hp_tally *t, enum hp_reason reason)
{
	t->sums->slots++;
	if (reason != HP_REASON_NONE)
		t->reasons[reason]++;
}

/* the kernel's number bears out what the table says of each */
static void resolve(struct hp_slot_facts *slot)
{
	if (!slot->confirmed)
		return;
	slot->present += slot->unknown;
	if (hp_cause_expected(slot->reason))
		slot->huge += slot->unknown;
	slot->unknown = 0;
}

void hp_tally_finish(struct hp_tally *t)
{
	enum hp_reason reason;

	if (t->slot.span == 0)
		return;
	resolve(&t->slot);
	t->sums->present += t->slot.present;
	t->sums->huge += t->slot.huge;
	t->sums->unknown += t->slot.unknown;
	reason = hp_cause_find(t->cause, &t->slot);
	count_slot(t, reason);
	if (t->each)
		t->each(&t->slot, reason, t->arg);
	t->slot.span = 0;
}

/* makes the slot at @start the open one; if shared it keeps its first reason */
static void enter_slot(struct hp_tally *t, uint64_t start,
		       const struct hp_range *range)
{
	if (t->slot.span == 0 || t->slot.start != start) {
		hp_tally_finish(t);
		t->slot = (struct hp_slot_facts){.start = start};
	}
	if (t->slot.reason == HP_REASON_NONE)
		t->slot.reason = range->reason;
	t->slot.hugetlb = range->hugetlb;
}

/* the range up to @end is of one kind */
static void account(struct hp_tally *t, uint64_t end, enum kind kind,
		    const struct hp_range *range)
{
	uint64_t size = t->cause->ps->pmd;

	while (t->at < end) {
		uint64_t start = hp_align_down(t->at, size);
		uint64_t bytes = hp_min(end, start + size) - t->at;

		enter_slot(t, start, range);
		t->slot.span += bytes;
		t->slot.present += kind == SMALL || kind == HUGE ? bytes : 0;
		t->slot.huge += kind == HUGE ? bytes : 0;
		t->slot.unknown += kind >= UNSURE ? bytes : 0;
		t->slot.confirmed |= kind == CONFIRMED;
		t->at += bytes;
	}
}

struct walk {
	struct hp_tally *tally;
	const struct hp_range *range;
};

static enum kind kind_of(const struct hp_extent *e)
{
	if (e->unsure)
		return e->confirmed ? CONFIRMED : UNSURE;
	return e->huge ? HUGE : SMALL;
}

/* stretches come in whole pages; the range may end within one */
static void add_extent(const struct hp_extent *e, void *arg)
{
	struct walk *w = arg;
	uint64_t start = hp_max(e->start, w->range->start);
	uint64_t end = hp_min(e->end, w->range->end);

	account(w->tally, start, ABSENT, w->range);
	account(w->tally, end, kind_of(e), w->range);
}

static int scan_range(struct hp_tally *t, const struct hp_range *range)
{
	struct walk w = {t, range};
	int ret = -ENOENT;

	if (t->view)
		ret = hp_backing_scan(t->view, range->start, range->end,
				      add_extent, &w);
	if (ret == 0)
		account(t, range->end, ABSENT, range);
	return ret;
}

static uint64_t slots_met(const struct hp_range *r, uint64_t size)
{
	return (hp_align_up(r->end, size) - hp_align_down(r->start, size)) /
	       size;
}

/* without pagemap: bytes as far as known, and as many huge slots as fit */
static void guess_range(struct hp_tally *t, const struct hp_range *range)
{
	uint64_t size = t->cause->ps->pmd;
	uint64_t slots = slots_met(range, size), huge;
	struct hp_backing b = {.unknown = range->end - range->start};
	enum hp_reason reason = range->reason;

	(void)hp_backing_smaps(range->start, range->end, &b);
	if (reason == HP_REASON_NONE)
		reason = b.present + b.unknown > 0 ? HP_REASON_UNKNOWN
						   : HP_REASON_NOT_TOUCHED;
	huge = hp_min(slots, b.huge / size);
	t->sums->present += b.present;
	t->sums->huge += b.huge;
	t->sums->unknown += b.unknown;
	t->sums->slots += slots;
	t->reasons[reason] += slots - huge;
}

void hp_tally_range(struct hp_tally *t, const struct hp_range *range)
{
	t->at = range->start;
	if (range->start >= range->end || scan_range(t, range) == 0)
		return;
	hp_tally_finish(t);
	guess_range(t, range);
}
