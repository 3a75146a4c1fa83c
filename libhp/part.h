/* SPDX-License-Identifier: MIT */
/*
 * part.h - a range of pages, slot by slot
 */
#ifndef HP_SLOT_PART_H
#define HP_SLOT_PART_H

#include "libhp/slot.h"

/* pages of one slot */
struct hp_part {
	unsigned int slot, first, len;
};

/**
 * hp_part_next - step through a range slot by slot; needs no lock
 * @start: where to go on; advanced past the part
 *
 * Return: false at the end of the range or of the table.
 */
bool hp_part_next(const struct hp_slots *s, uintptr_t *start, uintptr_t end,
		  struct hp_part *out);

/* all pages of slot @i */
struct hp_part hp_part_whole(const struct hp_slots *s, unsigned int i);

uintptr_t hp_part_addr(const struct hp_slots *s, const struct hp_part *p);

static inline struct hp_slot *hp_part_slot(const struct hp_slots *s,
					   const struct hp_part *p)
{
	return hp_slots_at(s, p->slot);
}

#endif
