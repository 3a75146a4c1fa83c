/* SPDX-License-Identifier: MIT */
/*
 * pagemap.h - which pages are huge, on kernels without PAGEMAP_SCAN
 *
 * Before Linux 6.7 pagemap tells which pages of a mapping are present, and smaps
 * how many bytes of it a PMD maps, but not where. A slot that a PMD maps has
 * all its pages present; so if a mapping has as many such slots as smaps
 * counts, these are the huge ones, and if smaps counts none, none is. A mapping
 * with full slots of both kinds is unsure, unless somebody who knows of each
 * what it should be (the slot table) comes to the same number.
 *
 * Documentation/admin-guide/mm/pagemap.rst, Documentation/filesystems/proc.rst.
 */
#ifndef HP_PAGEMAP_H
#define HP_PAGEMAP_H

#include "libhp/extent.h"

/* one mapping and what was found out about it; zeroed but for smaps' part */
struct hp_pagemap {
	uint64_t start, end;
	uint64_t rss, thp; /* bytes, as struct hp_smaps has them */
	bool hugetlb;
	bool anonymous; /* and private */
	bool judged; /* and so the rest is set */
	bool zero;   /* what may be the zero page is */
	enum {
		HP_FULL_SMALL,
		HP_FULL_HUGE,
		HP_FULL_UNSURE
	} kind;		   /* of these: */
	uint64_t full;	   /* bytes of slots with all their pages */
	uint64_t believed; /* of these, huge as far as the caller knows */
};

/* hp_pagemap_is_own - is the page there, and mapped by this process alone? */
bool hp_pagemap_is_own(int fd, uint64_t addr);

/* hp_pagemap_slot - bytes that a PMD maps, by the size of a page table */
uint64_t hp_pagemap_slot(void);

/**
 * hp_pagemap_visit - call @fn for every present stretch of a part of a mapping
 * @fd:	   of /proc/PID/pagemap
 * @start: of a page, in the mapping, as is @end
 *
 * The first call for a mapping reads all entries of it: 2 MiB for each GiB.
 *
 * Return: 0; what reading said, and @fn may have been called then.
 */
int hp_pagemap_visit(int fd, struct hp_pagemap *m, uint64_t start, uint64_t end,
		     hp_extent_fn fn, void *arg);

#endif
