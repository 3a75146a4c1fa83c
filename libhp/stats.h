/* SPDX-License-Identifier: MIT */
/*
 * stats.h - figures for the report: tables joined with the kernel's answer
 *
 * Each source of memory (heap, mmap, region) registers one provider that lists
 * its ranges. hp_stats_collect() asks the kernel about every range and gives
 * each slot that is not as asked its one reason. Nothing allocates.
 */
#ifndef HP_STATS_H
#define HP_STATS_H

#include "libhp/cause.h"
#include "libhp/hp.h"
#include "libhp/pagesize.h"

enum hp_origin { HP_ORIGIN_HEAP, HP_ORIGIN_MMAP, HP_ORIGIN_REGION, HP_ORIGINS };

/* memory handed out; need not be aligned to slots */
struct hp_range {
	uint64_t start, end;
	/* why it is not huge if it turns out not to be; NONE: to be found out */
	enum hp_reason reason;
	bool hugetlb;
};

typedef void (*hp_range_fn)(const struct hp_range *range, void *arg);

struct hp_provider {
	enum hp_origin origin;
	/* calls @fn for every range, ascending, without holding a lock */
	void (*ranges)(hp_range_fn fn, void *arg);
	/* bytes of these in use by the program */
	uint64_t (*used)(void);
	struct hp_provider *next; /* belongs to stats.c */
};

/* hp_stats_provide - @p must live for ever */
void hp_stats_provide(struct hp_provider *p);

/* hp_stats_ranges - every range of every provider, each provider's ascending */
void hp_stats_ranges(hp_range_fn fn, void *arg);

/* counters any module may bump: relaxed atomics */
enum hp_event {
	HP_EVENT_DEMOTED,   /* hugetlb slots copied to other pages for fork */
	HP_EVENT_COLLAPSED, /* slots made huge by MADV_COLLAPSE */
	HP_EVENT_BROKEN,    /* huge slots of which pages were given back */
	HP_EVENT_RELEASED,  /* empty slots given back whole */
	HP_EVENT_FALLBACK,  /* hugetlb rungs that could not be had */
	HP_EVENT_FOREIGN,   /* blocks of libc's malloc seen by free */
	HP_EVENT_MMAP_SEEN, /* anonymous private maps of the program */
	HP_EVENT_MMAP_PACKED,
	HP_EVENT_MMAP_ALIGNED,
	HP_EVENT_MMAP_PASSED,
	HP_EVENTS
};
extern uint64_t hp_stats_events[HP_EVENTS];

static inline void hp_stats_count(enum hp_event e)
{
	__atomic_fetch_add(&hp_stats_events[e], 1, __ATOMIC_RELAXED);
}

/**
 * hp_stats_collect - like hp_stats_read(), with @ps for the reasons
 * @ps: what pagesize found at start; NULL reads it anew
 */
void hp_stats_collect(struct hp_stats *out, const struct hp_pagesizes *ps);

typedef void (*hp_slot_fn)(const struct hp_slot_facts *slot,
			   enum hp_reason reason, void *arg);

/* hp_stats_slots - every slot that hp_stats_collect() would count one by one */
void hp_stats_slots(const struct hp_pagesizes *ps, hp_slot_fn fn, void *arg);

#endif
