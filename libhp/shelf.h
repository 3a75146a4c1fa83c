/* SPDX-License-Identifier: MIT */
/*
 * shelf.h - where in a filler's slots a run of pages fits best
 *
 * Partly used slots hang on lists by the length of their longest free run and,
 * within that, by fullness. The first list that can hold a run is thus the
 * tightest fit, and its head the fullest slot. Call with the filler locked.
 */
#ifndef HP_SHELF_H
#define HP_SHELF_H

#include "libhp/filler.h"
#include "libhp/runs.h"

/**
 * hp_shelf_choose - the fullest slot with room for @pages at @align
 * @run: receives the place inside it
 *
 * Return: its index; the number of slots when there is none.
 */
unsigned int hp_shelf_choose(const struct hp_filler *f, unsigned int pages,
			     unsigned int align, struct hp_run *run);

/* pages [@first, @first + @len) of slot @i change hands */
void hp_shelf_place(struct hp_filler *f, unsigned int i, unsigned int first,
		    unsigned int len);
/* @clean: they are zero, or the kernel has them back */
void hp_shelf_unplace(struct hp_filler *f, unsigned int i, unsigned int first,
		      unsigned int len, bool clean);

/* is every byte of these pages known to be zero? */
bool hp_shelf_clean(const struct hp_filler *f, unsigned int i,
		    unsigned int first, unsigned int len);

/* pages of @slot the kernel may hold for us */
unsigned int hp_shelf_resident(const struct hp_filler *f,
			       const struct hp_slot *slot);

#endif
