/* SPDX-License-Identifier: MIT */
/*
 * part.h - pages of a slot that bears packed blocks: clean, live or dead
 *
 * Clean pages are mapped and were never handed out (neither used nor dirty in
 * the slot's bitmaps), live ones belong to the program (used and dirty), dead
 * ones it has unmapped (used, not dirty). Call with the filler locked, but for
 * what says otherwise.
 */
#ifndef HP_PART_H
#define HP_PART_H

#include "libhp/filler.h"
#include "libhp/part.h"

/* how many of them are live; needs no lock */
unsigned int hp_part_live(const struct hp_slots *s, const struct hp_part *p);

/* live pages die */
void hp_part_kill(const struct hp_slots *s, const struct hp_part *p);

/* clean pages, which are not there any more, are dead at once */
void hp_part_kill_clean(struct hp_filler *f, const struct hp_part *p);

/* all of them are live now, whatever they were */
void hp_part_enliven(struct hp_filler *f, const struct hp_part *p);

/* clean pages go back to the kernel; the bitmaps stay as they are */
void hp_part_unmap_clean(struct hp_filler *f, const struct hp_part *p);

#endif
