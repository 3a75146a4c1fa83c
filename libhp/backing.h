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

typedef void (*hp_extent_fn)(const struct hp_extent *extent, void *arg);

/**
 * hp_backing_visit - call @fn for every present stretch, ascending
 *
 * Stretches do not overlap; what lies between them is not present. PAGEMAP_SCAN
 * tells to the page. The zero page, small or huge, is not present: it stands
 * for memory that was read and never written, and Rss leaves it out, too.
 *
 * Return: 0; -ENOTTY, -EACCES, -ENOENT… when the kernel cannot be asked that
 * way (nothing was called).
 */
int hp_backing_visit(uint64_t start, uint64_t end, hp_extent_fn fn, void *arg);

/* hp_backing_open - a descriptor for hp_backing_scan(); hp_linux_close() it */
int hp_backing_open(void);

/* hp_backing_scan - hp_backing_visit() for those who ask about many ranges */
int hp_backing_scan(int pagemap, uint64_t start, uint64_t end, hp_extent_fn fn,
		    void *arg);

struct hp_mapping {
	uint64_t start, end;
	bool hugetlb;
	bool plain; /* certainly nothing but anonymous memory */
};

typedef void (*hp_mapping_fn)(const struct hp_mapping *mapping, void *arg);

/**
 * hp_mapping_visit - call @fn for every mapping that meets the range, ascending
 *
 * PROCMAP_QUERY (Linux 6.11), else smaps. Mappings are handed over whole, not
 * cut to the range. Return: 0; what opening or reading these files said.
 */
int hp_mapping_visit(uint64_t start, uint64_t end, hp_mapping_fn fn, void *arg);

/**
 * hp_backing_hugetlb - how many bytes of a range lie in hugetlb mappings
 *
 * Return: 0; -errno, @out untouched, when mappings cannot be listed.
 */
int hp_backing_hugetlb(uint64_t start, uint64_t end, uint64_t *out);

/**
 * hp_backing_smaps - hp_backing_query() from whole mappings
 *
 * A mapping that is partly outside is known only if none or all of it is
 * there, and in one kind; else its part of the range is unknown.
 *
 * Return: 0; -errno, @out untouched, when smaps cannot be read.
 */
int hp_backing_smaps(uint64_t start, uint64_t end, struct hp_backing *out);

#endif
