/* SPDX-License-Identifier: MIT */
/*
 * extent.h - one stretch of equally mapped, present memory
 */
#ifndef HP_EXTENT_H
#define HP_EXTENT_H

#include <stdbool.h>
#include <stdint.h>

struct hp_extent {
	uint64_t start, end;
	bool huge;	/* PMD-mapped or hugetlb */
	bool unsure;	/* may be huge as well (pagemap.h) */
	bool confirmed; /* unsure, and huge if hp_backing_believe() was told so */
};

typedef void (*hp_extent_fn)(const struct hp_extent *extent, void *arg);

#endif
