/* SPDX-License-Identifier: MIT */
/*
 * backing.h - what the kernel maps a range with
 *
 * The public face is hp_backing_query() and hp_process_query() in hp.h. None
 * of these allocates; all keep to raw system calls.
 */
#ifndef HP_BACKING_H
#define HP_BACKING_H

#include "libhp/extent.h"
#include "libhp/hp.h"
#include "libhp/mappings.h"

/*
 * The ways the kernel can be asked about this process: by ioctls, PAGEMAP_SCAN
 * (Linux 6.7) and PROCMAP_QUERY (6.11); where it lacks one, by what smaps said
 * when that was first missed.
 */
struct hp_backing_view {
	int pagemap, maps; /* descriptors; maps may be -errno */
	bool scans;
	bool listed; /* mappings were read, or why not */
	int list_err;
	struct hp_mappings mappings;
};

/* hp_backing_open - 0; -EACCES, -ENOENT… when there is no way */
int hp_backing_open(struct hp_backing_view *view);
void hp_backing_close(struct hp_backing_view *view);

/* hp_backing_refresh - mappings may have changed: a list is read once more */
int hp_backing_refresh(struct hp_backing_view *view);

/* hp_backing_can_scan - is there PAGEMAP_SCAN, and allowed on this descriptor? */
bool hp_backing_can_scan(int pagemap);

/**
 * hp_backing_scan - call @fn for every present stretch, ascending
 *
 * Stretches do not overlap; what lies between them is not present. They are
 * true to the page; only before Linux 6.7 some may be unsure. The zero page,
 * small or huge, is not present: it stands for memory that was read and never
 * written, and Rss leaves it out, too.
 *
 * Return: 0; what asking said: @fn has not been called for all then.
 */
int hp_backing_scan(struct hp_backing_view *view, uint64_t start, uint64_t end,
		    hp_extent_fn fn, void *arg);

/**
 * hp_backing_believe - the whole slot at @addr should be huge
 *
 * To be told of all such slots before the scan; where their number is the
 * kernel's, unsure stretches are confirmed. Of no effect on others.
 */
void hp_backing_believe(struct hp_backing_view *view, uint64_t addr);

struct hp_mapping {
	uint64_t start, end;
	bool hugetlb;
	bool plain; /* certainly nothing but anonymous memory */
};

/* hp_backing_mapping - the one that covers @addr, else the next above it
 * Return: 0; -ENOENT there is none; why they cannot be listed. */
int hp_backing_mapping(struct hp_backing_view *view, uint64_t addr,
		       struct hp_mapping *out);

/**
 * hp_backing_hugetlb - how many bytes of a range lie in hugetlb mappings
 *
 * Return: 0; -errno, @out untouched, when mappings cannot be listed.
 */
int hp_backing_hugetlb(uint64_t start, uint64_t end, uint64_t *out);

/**
 * hp_backing_smaps - hp_backing_query() from whole mappings
 *
 * For a /proc without pagemap. A mapping that is partly outside is known only
 * if none or all of it is there, and in one kind; else its part of the range
 * is unknown.
 *
 * Return: 0; -errno, @out untouched, when smaps cannot be read.
 */
int hp_backing_smaps(uint64_t start, uint64_t end, struct hp_backing *out);

#endif
