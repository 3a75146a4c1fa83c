/* SPDX-License-Identifier: MIT */
/*
 * pack.h - small mappings of the program, side by side inside slots
 *
 * An interpreter that maps its arenas 1 MiB at a time never gets a huge page
 * from the kernel. Packed next to each other in a mapping that is already
 * advised they do. A block may lie in two slots. What the program sees is
 * unchanged: zeroed pages, and a real munmap that leaves a real hole. A slot of which everything is unmapped
 * is mapped anew when it is used next.
 *
 * A page of a pack slot is one of: clean (mapped, never handed out), live
 * (taken and dirty) or dead (taken, not dirty: the program unmapped it).
 * Callers hold the place lock.
 */
#ifndef HP_PACK_H
#define HP_PACK_H

#include "libhp/filler.h"
#include "libhp/init.h"
#include "libhp/span.h"

/* Return: 0; -ENOMEM no address space */
int hp_pack_init(const struct hp_context *context, struct hp_start *start);

/**
 * hp_pack_map - zeroed memory for a mapping of @len bytes, whole pages
 * @filled: receives the slots whose last hole was filled, none or those for
 *          which it is time for hp_pack_collapse(), once the lock is dropped
 *
 * Return: its address; NULL none to be had this way.
 */
void *hp_pack_map(size_t len, struct hp_span *filled);

/* hp_pack_unmapped - the program unmapped [@start, @end); any part of it */
void hp_pack_unmapped(uintptr_t start, uintptr_t end);

/* hp_pack_mapped - the program mapped something of its own over a range */
void hp_pack_mapped(uintptr_t start, uintptr_t end);

/* hp_pack_mark - advice or protection changed inside a range */
void hp_pack_mark(uintptr_t start, uintptr_t end, enum hp_reason reason);
/* hp_pack_refuses - was it against huge pages, anywhere in its slots? no lock */
bool hp_pack_refuses(uintptr_t start, uintptr_t end);

/* hp_pack_collapse - holes were filled: make the slots huge again; no lock */
void hp_pack_collapse(const struct hp_span *filled);

/* may any of the range be packed? cheap, needs no lock */
bool hp_pack_near(uintptr_t start, uintptr_t end);

/* hp_pack_owns - is it in a slot? needs no lock */
bool hp_pack_owns(uintptr_t addr);

void hp_pack_ranges(hp_range_fn fn, void *arg);
uint64_t hp_pack_used(void); /* bytes */
void hp_pack_keep(void);     /* a sandbox forbids madvise from now on */
void hp_pack_fork_prepare(void);
void hp_pack_fork_parent(void);
void hp_pack_fork_child(void);

#endif
