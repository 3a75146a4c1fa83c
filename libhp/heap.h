/* SPDX-License-Identifier: MIT */
/*
 * heap.h - the one filler the process's heap lives in
 */
#ifndef HP_HEAP_H
#define HP_HEAP_H

#include "libhp/filler.h"

extern HP_HIDDEN struct hp_filler hp_heap;
extern struct hp_start hp_heap_start;

/* there is too little address space: nothing is given to jemalloc */
extern HP_HIDDEN bool hp_heap_closed;

/**
 * hp_heap_init - from options and machine; registers the heap with stats
 * @passive: leave everything to the kernel: no advice, no threshold
 *
 * Return: 0; -ENOMEM no address space.
 */
int hp_heap_init(const struct hp_options *options,
		 const struct hp_pagesizes *pagesizes, bool passive);

/* hp_heap_owns - is this address inside the heap? one comparison */
static inline bool hp_heap_owns(const void *addr)
{
	return hp_slots_hold(&hp_heap.slots, addr);
}

#endif
