/* SPDX-License-Identifier: MIT */
/*
 * backing.h - what the kernel maps a range with
 *
 * The public face is hp_backing_query() and hp_process_query() in hp.h. None
 * of these allocates; all keep to raw system calls.
 */
#ifndef HP_BACKING_H
#define HP_BACKING_H

#include "libhp/hp.h"

/* one stretch of equally mapped, present memory */
struct hp_extent {
	uint64_t start, end;
	bool huge; /* PMD-mapped or hugetlb */
};

/**
 * hp_backing_visit - call @fn for every present stretch, ascending
 *
 * Stretches do not overlap; what lies between them is not present. PAGEMAP_SCAN
 * tells to the page. Return: 0; -ENOTTY, -EACCES, -ENOENT… when the kernel
 * cannot be asked that way (nothing was called).
 */
int hp_backing_visit(uint64_t start, uint64_t end,
		     void (*fn)(const struct hp_extent *extent, void *arg),
		     void *arg);

/* hp_backing_hugetlb - how many bytes of a range lie in hugetlb mappings */
int hp_backing_hugetlb(uint64_t start, uint64_t end, uint64_t *out);

#endif
