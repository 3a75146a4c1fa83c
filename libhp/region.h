/* SPDX-License-Identifier: MIT */
/*
 * region.h - explicit regions, inside
 *
 * The public face is hp_region_open() in hp.h. A region is address space with
 * small pages under it, into which larger ones are put slot by slot; a shared
 * one is a single file and so of one kind.
 */
#ifndef HP_REGION_H
#define HP_REGION_H

#include "libhp/common.h"
#include "libhp/hp.h"
#include "libhp/options.h"
#include "libhp/locate.h"

struct hp_region_slot {
	uint8_t reason; /* enum hp_reason; why not of the best kind */
	bool hugetlb;
};

struct hp_region {
	char *addr;
	size_t len;
	int fd;			/* -EBADF: private */
	struct hp_region *next; /* belongs to region_list.c */
	size_t slot;		/* bytes of a slot */
	size_t nslots;		/* those that the region meets, whole or not */
	struct hp_region_slot slots[];
};

/* what the caller's progress function was told */
struct hp_region_progress {
	size_t done, total;
};

/* a struct hp_region_want, checked and completed */
struct hp_region_ask {
	struct hp_region_want want;
	struct hp_region_progress *progress;
	size_t rungs[HP_LADDER_MAX];
	unsigned int nrungs;
	size_t len;
	bool strict, populate;
};

/* hp_region_default_ladder - for those who name none; thp until called */
void hp_region_default_ladder(const size_t *rungs, unsigned int n);

/* hp_region_new - a handle for memory at @addr; NULL: no memory */
struct hp_region *hp_region_new(char *addr, size_t len, int fd);

/* hp_region_mark - @reason for the whole slots of a part, unless they have one
 */
void hp_region_mark(struct hp_region *r, const char *start, const char *end,
		    enum hp_reason reason);

/* hp_region_mark_pool - the part is on hugetlb pages now */
void hp_region_mark_pool(struct hp_region *r, const char *start,
			 const char *end);

/* hp_region_bind - the NUMA nodes asked for, if any; 0 or -errno */
int hp_region_bind(const struct hp_region_ask *ask, char *addr, size_t len);

/* a part of a region to be populated */
struct hp_region_part {
	char *addr; /* where it is now */
	size_t len;
	size_t offset; /* of it in the region */
	size_t page;   /* bytes of a page of its kind */
	bool pool;     /* hugetlb */
};

/* hp_region_touch - prefault, with threads and progress if that was asked */
HP_MUST_CHECK int hp_region_touch(const struct hp_region_ask *ask,
				  const struct hp_region_part *part);

/* hugetlb pages to be had just now, as far as known; the kernel decides */
size_t hp_region_pages_left(size_t size);

/* hp_region_advise - one rung of THP; NONE, or why that will not do */
enum hp_reason hp_region_advise(char *addr, size_t len);

/* the two ways to make one; @out is unlisted */
HP_MUST_CHECK int hp_region_private(struct hp_region **out,
				    const struct hp_region_ask *ask);
HP_MUST_CHECK int hp_region_shared(struct hp_region **out,
				   const struct hp_region_ask *ask);

/* regions as stats sees them; remove returns false if @r must live on */
void hp_region_list_add(struct hp_region *r);
bool hp_region_list_remove(struct hp_region *r);

#endif
