/* SPDX-License-Identifier: MIT */
/*
 * cause.h - why a slot is not huge, or not by the page asked for first
 *
 * What a module knew when it mapped the slot comes first; then what the
 * machine forbids; then what can be seen of the mapping; last the kernel's
 * counters of failed huge faults. Those are the whole machine's, so no more
 * slots are put down to them than they went up by since hp_cause_start().
 */
#ifndef HP_CAUSE_H
#define HP_CAUSE_H

#include "libhp/backing.h"
#include "libhp/hp.h"
#include "libhp/pagesize.h"

/* one slot: what libhp handed out of it, and how the kernel maps that */
struct hp_slot_facts {
	uint64_t start;	       /* of the slot */
	uint64_t span;	       /* bytes handed out */
	uint64_t present;      /* of these */
	uint64_t huge;	       /* of these */
	uint64_t unknown;      /* of these; not counted in the two above */
	bool confirmed;	       /* what is unknown is as should be expected */
	enum hp_reason reason; /* as recorded, or NONE */
	bool hugetlb;
};

struct hp_cause {
	const struct hp_pagesizes *ps;
	enum hp_reason thp;	      /* why no slot can get a THP, or NONE */
	struct hp_backing_view *view; /* NULL: nobody can be asked */
	uint64_t uncharged; /* failed faults not yet accounted for: memcg */
	uint64_t unfound;   /* the same: no free memory in one piece */
};

/* hp_cause_fork - from now on a small slot may be one that was copied on write */
void hp_cause_fork(void);

/* hp_cause_start - note the counters; only the first call does anything */
void hp_cause_start(void);

/* hp_cause_expected - is a slot with nothing but that recorded huge, normally? */
bool hp_cause_expected(enum hp_reason recorded);

/* hp_cause_open - hp_cause_find() may be asked about any number of slots then */
void hp_cause_open(struct hp_cause *cause, const struct hp_pagesizes *ps,
		   struct hp_backing_view *view);

/*
 * hp_cause_find - NONE for a slot that is huge, unless the hugetlb page that
 * the ladder asked for before was refused: then why
 */
enum hp_reason hp_cause_find(struct hp_cause *cause,
			     const struct hp_slot_facts *slot);

#endif
