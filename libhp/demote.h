/* SPDX-License-Identifier: MIT */
/*
 * demote.h - slots on hugetlb pages move onto ordinary ones, where they lie
 *
 * A pool page cannot be cut: not for munmap or mprotect of a part, and its free
 * part does not go back. So the pages in use are copied and the copy takes its
 * place. What is written in between would be lost, therefore a process does so
 * over itself only while it is alone (hp_alone()); a fork has the copies made
 * for the child (fork.h).
 *
 * Unless said otherwise: with the filler's lock held.
 */
#ifndef HP_DEMOTE_H
#define HP_DEMOTE_H

#include "libhp/altstack.h"
#include "libhp/filler.h"

/**
 * hp_demote_apart - @fn(@arg) on a stack outside the heap, signals blocked
 *
 * The program's own may lie in a slot: what is written to it while that is
 * copied would be lost, and so would a handler's.
 */
void hp_demote_apart(const struct hp_filler *f, hp_altstack_fn fn, void *arg);

/* hp_demote_is_pool - is the slot on a page of the pool, as libhp mapped it?
 * One whose protection the program changed cannot be read, and stays. */
bool hp_demote_is_pool(const struct hp_filler *f, unsigned int i);

/* hp_demote_run - how many such slots from @first on: one hugetlb page may
 * lie under many, and only moves whole */
unsigned int hp_demote_run(const struct hp_filler *f, unsigned int first);

/* hp_demote_room - memory for copies of @n slots; NULL: there is none */
char *hp_demote_room(const struct hp_filler *f, unsigned int n);

/* hp_demote_copy - what is in use; what is free may have any contents */
void hp_demote_copy(const struct hp_filler *f, unsigned int i, unsigned int n,
		    char *to);

/**
 * hp_demote_move - @copy takes the place of slots @i to @i + @n; it goes
 *
 * The slots are advised ones then, for @reason.
 */
void hp_demote_move(struct hp_filler *f, unsigned int i, unsigned int n,
		    char *copy, enum hp_reason reason);

/* hp_demote_all - every slot, for a fork of a process that is alone */
void hp_demote_all(struct hp_filler *f);

/**
 * hp_demote_slot - one slot, and only its pages in use are there afterwards
 *
 * Not for one that is a part of a larger hugetlb page. Return: 0; -ENOMEM.
 */
int hp_demote_slot(struct hp_filler *f, unsigned int i);

/**
 * hp_demote_range - whatever slot [@addr, @end) touches, if that may be
 *
 * Takes the lock. Return: false if some of it is on a pool page still.
 */
bool hp_demote_range(struct hp_filler *f, uintptr_t addr, uintptr_t end);

/* hp_demote_held - is some of the range on a pool page? Without the lock. */
bool hp_demote_held(const struct hp_filler *f, uintptr_t addr, uintptr_t end);

#endif
