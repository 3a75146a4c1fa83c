/* SPDX-License-Identifier: MIT */
/*
 * sites_sum.h - call stacks joined with the kernel's answer
 */
#ifndef HP_SITES_SUM_H
#define HP_SITES_SUM_H

#include "libhp/hp.h"
#include "libhp/pagesize.h"
#include "libhp/sites_table.h"

/* one call stack's memory; estimates where small blocks were sampled */
struct hp_site {
	uint64_t asked;	  /* bytes of its live blocks and mappings */
	uint64_t present; /* of these */
	uint64_t huge;	  /* of these */
	uint64_t blocks;  /* how many */
	uint64_t bloat;	  /* bytes resident in its slots that nobody uses */
	uint64_t slots;	  /* that were made for a call of it */
	uint64_t reasons[HP_REASON_COUNT]; /* of these: hp_cause_find() */
};

struct hp_site_sums {
	const struct hp_site *sites; /* by stack id */
	uint32_t n;
	bool blind; /* the kernel cannot be asked: only asked and blocks count */
};

/* hp_sites_sums - 0; -ENOMEM no room for them */
HP_MUST_CHECK int hp_sites_sums(void);

/**
 * hp_sites_collect - sum up what is live now
 *
 * Kept if it is more than at any call before: a program often frees all before
 * it ends. Takes no lock while the kernel is asked. Two threads at a time: the
 * second does nothing.
 */
void hp_sites_collect(const struct hp_pagesizes *ps);

/* the fullest of them; n is 0 when there was none */
const struct hp_site_sums *hp_sites_collected(void);

/* hp_sites_bytes - what is present of @site; where not known, what it asked */
uint64_t hp_sites_bytes(const struct hp_site *site);

/* hp_sites_next - the site with most memory after @id; 0: the first, the end */
uint32_t hp_sites_next(uint32_t id);

#endif
