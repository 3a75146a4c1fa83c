/* SPDX-License-Identifier: MIT */
/*
 * maplist.h - the program's own mappings that libhp has a hand in
 *
 * Disjoint ranges in ascending order, equal neighbours joined. A program may
 * cut, move or overlay its mappings in any way, so the list follows what the
 * system calls did and is never ahead of them. Callers hold the place lock.
 */
#ifndef HP_MAPLIST_H
#define HP_MAPLIST_H

#include "libhp/common.h"

enum hp_map_kind {
	HP_MAP_RESERVED, /* PROT_NONE; nothing done yet */
	HP_MAP_READY,	 /* not in use, but advised as what is used beside it */
	HP_MAP_ADVISED,	 /* in use and advised */
};

struct hp_map {
	uintptr_t start, end;
	uint8_t kind;
	uint8_t reason; /* why it is not huge, where the program saw to that */
};

/* hp_maplist_set - [start, end) is of this kind now, whatever it was */
void hp_maplist_set(uintptr_t start, uintptr_t end, enum hp_map_kind kind,
		    unsigned int reason);

/* hp_maplist_cut - [start, end) is not ours to know about any more */
void hp_maplist_cut(uintptr_t start, uintptr_t end);

/* the entry that holds @addr, or the next above it; NULL when none */
const struct hp_map *hp_maplist_find(uintptr_t addr);

/* bytes of all HP_MAP_ADVISED entries; needs no lock */
uint64_t hp_maplist_advised(void);

/*
 * hp_maplist_runs - stretches without a gap that are of one kind; no lock
 *
 * About as many mappings as they are to the kernel (vm.max_map_count).
 */
size_t hp_maplist_runs(void);

/* may any entry lie in [start, end)? cheap, needs no lock */
bool hp_maplist_near(uintptr_t start, uintptr_t end);

#endif
