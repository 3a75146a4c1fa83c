/* SPDX-License-Identifier: MIT */
/*
 * bloat.h - giving back what a filler holds beyond what is in use (bound.h)
 */
#ifndef HP_BLOAT_H
#define HP_BLOAT_H

#include "libhp/filler.h"

/*
 * hp_bloat_begin - may this thread be the one that breaks or mends slots?
 *
 * Then it clears filler.releasing when it is done. Call it with the lock held.
 */
HP_MUST_CHECK bool hp_bloat_begin(struct hp_filler *f);

/**
 * hp_bloat_release - give back free pages until the bound holds, if that is due
 *
 * Empty slots first, from the end; then free runs of the sparsest slots. Takes
 * the filler's lock itself and drops it around each system call.
 */
void hp_bloat_release(struct hp_filler *f);

/* hp_bloat_trim - the same, but no empty slot stays resident at all */
void hp_bloat_trim(struct hp_filler *f);

/**
 * hp_bloat_restore - memory whose mapping the program had changed is free
 *
 * Slots of it that are empty now go back whole, so that the next owner gets
 * neither the advice nor the holes of the last one.
 */
void hp_bloat_restore(struct hp_filler *f, uintptr_t addr, size_t pages);

/**
 * hp_bloat_choose_refill - which slot is due, now that pages at @addr were taken
 *
 * That of @addr if it was broken and has filled up, else one that had to wait
 * for a release to end. Call it with the lock held. Return: slots.n for none.
 */
unsigned int hp_bloat_choose_refill(struct hp_filler *f, uintptr_t addr);

/**
 * hp_bloat_refill - a broken slot has filled up: make it huge again
 *
 * MADV_COLLAPSE: call without any lock.
 */
void hp_bloat_refill(struct hp_filler *f, unsigned int slot);

#endif
