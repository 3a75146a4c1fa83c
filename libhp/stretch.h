/* SPDX-License-Identifier: MIT */
/*
 * stretch.h - a run of pages that may reach across slots
 *
 * The filler's lock is held by the caller.
 */
#ifndef HP_STRETCH_H
#define HP_STRETCH_H

#include "libhp/filler.h"

/* hp_stretch_place - mark it as used; *clean: the kernel zeroed all of it */
void hp_stretch_place(struct hp_filler *f, uintptr_t addr, size_t pages,
		      bool *clean);
/* hp_stretch_unplace - mark it as free; clean: and never written to */
void hp_stretch_unplace(struct hp_filler *f, uintptr_t addr, size_t pages,
			bool clean);
/* hp_stretch_is_free - no page of it is used, nor another's */
bool hp_stretch_is_free(struct hp_filler *f, uintptr_t addr, size_t pages);

#endif
