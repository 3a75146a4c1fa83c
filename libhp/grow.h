/* SPDX-License-Identifier: MIT */
/*
 * grow.h - more slots for a filler, and hugetlb pages under them
 *
 * One thread at a time grows (filler.grow); the filler itself stays usable
 * meanwhile. Call without the filler's lock.
 */
#ifndef HP_GROW_H
#define HP_GROW_H

#include "libhp/filler.h"

/**
 * hp_grow - at least @n consecutive empty slots at the end
 * @seen: slots there were when the caller found no room; if there are more by
 *        now, nothing is done and the caller looks again
 *
 * Return: false when limits or address space are used up.
 */
bool hp_grow(struct hp_filler *f, unsigned int seen, size_t n);

/* hp_grow_reach - make the table reach @end, for growth in place */
bool hp_grow_reach(struct hp_filler *f, uintptr_t end);

/* hp_grow_admit - the caller holds all of slot @i: try a pool page under it */
void hp_grow_admit(struct hp_filler *f, unsigned int i);

#endif
