/* SPDX-License-Identifier: MIT */
/*
 * holes.h - where packed blocks were until the program unmapped them
 *
 * The latest ones, as programs map again what they have just unmapped; older
 * ones are forgotten, and what they cover is used again when its whole slot
 * is. Callers hold the lock of the record.
 */
#ifndef HP_HOLES_H
#define HP_HOLES_H

#include "libhp/common.h"

/* hp_holes_note - joined with holes that touch it */
void hp_holes_note(uintptr_t start, size_t len);

/* hp_holes_forget - what of the holes lies in [start, end) */
void hp_holes_forget(uintptr_t start, uintptr_t end);

/* start of the latest one with room for @len bytes; 0: none */
uintptr_t hp_holes_find(size_t len);

/* hp_holes_fill - the first @len bytes of the hole that starts at @start */
void hp_holes_fill(uintptr_t start, size_t len);

#endif
