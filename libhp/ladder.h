/* SPDX-License-Identifier: MIT */
/*
 * ladder.h - which page sizes to try for a slot, in which order; pure
 */
#ifndef HP_LADDER_H
#define HP_LADDER_H

#include "libhp/hp.h"
#include "libhp/options.h"
#include "libhp/pagesize.h"

/* slots to pass before a rung that failed is tried again */
#define HP_LADDER_BACKOFF 64

struct hp_rung {
	size_t size; /* of one page; the PMD size for THP */
	bool hugetlb;
	unsigned int wait;     /* slots left before it is tried again */
	enum hp_reason reason; /* why it failed last */
};

struct hp_ladder {
	unsigned int n;
	struct hp_rung rungs[HP_LADDER_MAX];
};

/**
 * hp_ladder_build - the rungs of @opt this machine has
 *
 * hugetlb sizes the machine has no pool for are left out. thp stays: a kernel
 * without it refuses the advice and nothing is lost. Mode off leaves no rung.
 */
void hp_ladder_build(struct hp_ladder *out, const struct hp_options *opt,
		     const struct hp_pagesizes *ps);

/*
 * hp_ladder_failed - rung @i could not be had just now
 *
 * The caller keeps this and hp_ladder_pass() from running at once.
 */
void hp_ladder_failed(struct hp_ladder *ladder, unsigned int i);

/* hp_ladder_pass - may rung @i be tried for the next slot? counts down */
bool hp_ladder_pass(struct hp_ladder *ladder, unsigned int i);

/**
 * hp_ladder_reason - the reason code for a hugetlb rung's errno
 * @err:      of either sign
 * @populate: true if mmap succeeded and populating failed
 * @bound:    true if a NUMA binding was in force
 *
 * ENOMEM at map time is an empty pool (or the cgroup's rsvd limit). When
 * populating, EFAULT is the hugetlb cgroup's fault limit and ENOMEM the memory
 * cgroup, or either means that the bound nodes have none.
 */
enum hp_reason hp_ladder_reason(int err, bool populate, bool bound);

#endif
