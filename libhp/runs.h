/* SPDX-License-Identifier: MIT */
/*
 * runs.h - runs of bits in a page bitmap; pure
 *
 * Bit i of word i / 64 is page i; 1 means taken. All positions and lengths are
 * pages, and every range must lie inside the map.
 */
#ifndef HP_RUNS_H
#define HP_RUNS_H

#include "libhp/common.h"

/* a maximal stretch of clear bits, or of the part of it that was asked for */
struct hp_run {
	unsigned int first, len;
};

void hp_runs_set(uint64_t *map, unsigned int first, unsigned int len);
void hp_runs_clear(uint64_t *map, unsigned int first, unsigned int len);
/* how many of the bits are set */
unsigned int hp_runs_count(const uint64_t *map, unsigned int first,
			   unsigned int len);

/* first set (or clear) bit at or after @from; @pages when there is none */
unsigned int hp_runs_next_set(const uint64_t *map, unsigned int pages,
			      unsigned int from);
unsigned int hp_runs_next_clear(const uint64_t *map, unsigned int pages,
				unsigned int from);

/**
 * hp_runs_find - the first clear run that holds @len pages at an @align border
 * @align: power of two, in pages
 * @out:   receives the run cut to its aligned part; its len may exceed @len
 */
bool hp_runs_find(const uint64_t *map, unsigned int pages, unsigned int len,
		  unsigned int align, struct hp_run *out);

/* the clear run around page @at, which must be clear */
struct hp_run hp_runs_around(const uint64_t *map, unsigned int pages,
			     unsigned int at);

/* length of the longest clear run; stops looking at one of @enough pages */
unsigned int hp_runs_longest(const uint64_t *map, unsigned int pages,
			     unsigned int enough);

#endif
