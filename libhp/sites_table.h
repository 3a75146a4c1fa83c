/* SPDX-License-Identifier: MIT */
/*
 * sites_table.h - what is known of who asked: stacks, mappings, slots
 *
 * All of it lies in one mapping on ordinary pages, of which only what is used
 * is touched. One lock guards it; nothing is called and nobody waited for
 * while it is held. Where it cannot be had, or a table is full, the event goes
 * uncounted: hp_sites_lost().
 */
#ifndef HP_SITES_TABLE_H
#define HP_SITES_TABLE_H

#include "libhp/sites.h"
#include "libhp/sites_block.h"

#define HP_SITES_STACKS 16384 /* ids are below; 0: not known */
#define HP_SITES_MAPS 4096
#define HP_SITES_SLOTS ((size_t)4 << 20)

/* a mapping of the program, or a part of one that is left */
struct hp_site_map {
	uintptr_t start, end;
	uint32_t stack;
};

/* hp_sites_tables - these and that of the blocks: 0; -ENOMEM */
HP_MUST_CHECK int hp_sites_tables(void);

/* hp_sites_stack - the id of a stack, a new one if need be; 0 none */
uint32_t hp_sites_stack(const uintptr_t *pcs, unsigned int n);
/* hp_sites_frames - of a known id; the addresses stay where they are */
const uintptr_t *hp_sites_frames(uint32_t stack, unsigned int *n);
/* ids in use are 1 to this less 1 */
uint32_t hp_sites_stacks(void);

/* what was known of [start, end) is forgotten first */
void hp_sites_map_set(uintptr_t start, uintptr_t end, uint32_t stack);
void hp_sites_map_cut(uintptr_t start, uintptr_t end);
/* may any known mapping lie there? needs no lock */
bool hp_sites_map_near(uintptr_t start, uintptr_t end);

/* who had the @i-th slot of the heap made */
uint32_t hp_sites_slot(size_t i);
void hp_sites_slot_set(size_t i, uint32_t stack);

/* events that went uncounted, here and in sites_block.h */
void hp_sites_lose(void);
uint64_t hp_sites_lost(void);

/* a copy of every live mapping, for a look without the lock */
size_t hp_sites_copy_maps(struct hp_site_map *out);

/* hp_sites_forked - in the child, where the locks' holders may be gone */
void hp_sites_forked(void);

#endif
