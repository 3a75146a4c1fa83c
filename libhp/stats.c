/* SPDX-License-Identifier: MIT */
#include "libhp/stats.h"

#include <string.h>

#include "libhp/backing.h"
#include "libhp/common.h"
#include "libhp/tally.h"

uint64_t hp_stats_events[HP_EVENTS];

/* only ever pushed to, so it is walked without a lock */
static struct hp_provider *providers;

void hp_stats_provide(struct hp_provider *p)
{
	p->next = __atomic_load_n(&providers, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&providers, &p->next, p, false,
					    __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

void hp_stats_ranges(hp_range_fn fn, void *arg)
{
	struct hp_provider *p = __atomic_load_n(&providers, __ATOMIC_ACQUIRE);

	for (; p; p = p->next)
		p->ranges(fn, arg);
}

static void add_range(const struct hp_range *range, void *arg)
{
	hp_tally_range(arg, range);
}

static struct hp_source_stats *source_of(struct hp_stats *out,
					 enum hp_origin origin)
{
	switch (origin) {
	case HP_ORIGIN_HEAP:
		return &out->heap;
	case HP_ORIGIN_MMAP:
		return &out->mmap;
	default:
		return &out->region;
	}
}

/* @tally has all but what is the provider's */
static void ask_provider(const struct hp_provider *p, struct hp_stats *out,
			 struct hp_tally tally)
{
	tally.sums = source_of(out, p->origin);
	p->ranges(add_range, &tally);
	hp_tally_finish(&tally);
	if (p->used)
		tally.sums->used += p->used();
}

static void believe(const struct hp_slot_facts *slot, enum hp_reason reason,
		    void *view)
{
	(void)reason;
	if ((slot->unknown || slot->confirmed) &&
	    hp_cause_expected(slot->reason))
		hp_backing_believe(view, slot->start);
}

/* where the kernel tells only how many slots are huge, not which */
static void gather_beliefs(struct hp_backing_view *view, struct hp_cause cause)
{
	struct hp_provider *p = __atomic_load_n(&providers, __ATOMIC_ACQUIRE);
	struct hp_stats unused = {0};
	struct hp_tally tally = {
		.reasons = unused.reasons,
		.cause = &cause,
		.view = view,
		.each = believe,
		.arg = view,
	};

	for (; p; p = p->next)
		ask_provider(p, &unused, tally);
}

static void ask_providers(struct hp_stats *out, const struct hp_pagesizes *ps,
			  hp_slot_fn each, void *arg)
{
	struct hp_provider *p = __atomic_load_n(&providers, __ATOMIC_ACQUIRE);
	struct hp_cause cause;
	struct hp_backing_view view;
	struct hp_tally tally = {
		.reasons = out->reasons,
		.cause = &cause,
		.view = hp_backing_open(&view) < 0 ? NULL : &view,
		.each = each,
		.arg = arg,
	};

	hp_cause_open(&cause, ps, tally.view);
	if (tally.view && !view.scans)
		gather_beliefs(&view, cause);
	for (; p; p = p->next)
		ask_provider(p, out, tally);
	if (tally.view)
		hp_backing_close(tally.view);
}

void hp_stats_slots(const struct hp_pagesizes *ps, hp_slot_fn fn, void *arg)
{
	struct hp_stats unused = {0};

	ask_providers(&unused, ps, fn, arg);
}

static void add_source(struct hp_source_stats *sum,
		       const struct hp_source_stats *part)
{
	sum->present += part->present;
	sum->huge += part->huge;
	sum->unknown += part->unknown;
	sum->used += part->used;
	sum->slots += part->slots;
}

/* nothing found and something not known: then nothing is known */
static void mark_unknown(struct hp_source_stats *s)
{
	if (s->present == 0 && s->unknown > 0)
		s->present = s->huge = HP_BYTES_UNKNOWN;
}

static void ask_process(struct hp_process_backing *out)
{
	if (hp_process_query(0, out))
		memset(out, 0xff, sizeof(*out)); /* all HP_BYTES_UNKNOWN */
}

void hp_stats_collect(struct hp_stats *out, const struct hp_pagesizes *ps)
{
	struct hp_pagesizes now;

	if (!ps) {
		hp_pagesizes_read(&now);
		ps = &now;
	}
	memset(out, 0, sizeof(*out));
	ask_providers(out, ps, NULL, NULL);
	add_source(&out->managed, &out->heap);
	add_source(&out->managed, &out->mmap);
	add_source(&out->managed, &out->region);
	mark_unknown(&out->managed);
	mark_unknown(&out->heap);
	mark_unknown(&out->mmap);
	mark_unknown(&out->region);
	ask_process(&out->process);
}

HP_EXPORT int hp_stats_read(struct hp_stats *out)
{
	hp_stats_collect(out, NULL);
	return 0;
}
