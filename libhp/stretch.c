/* SPDX-License-Identifier: MIT */
#include "libhp/stretch.h"

#include "libhp/part.h"
#include "libhp/runs.h"
#include "libhp/shelf.h"

static uintptr_t end_of(const struct hp_filler *f, uintptr_t addr, size_t pages)
{
	return addr + (pages << f->slots.page_shift);
}

void hp_stretch_place(struct hp_filler *f, uintptr_t addr, size_t pages,
		      bool *clean)
{
	uintptr_t end = end_of(f, addr, pages);
	struct hp_part p;

	*clean = true;
	while (hp_part_next(&f->slots, &addr, end, &p)) {
		*clean = *clean && hp_shelf_clean(f, p.slot, p.first, p.len);
		hp_shelf_place(f, p.slot, p.first, p.len);
	}
}

void hp_stretch_unplace(struct hp_filler *f, uintptr_t addr, size_t pages,
			bool clean)
{
	uintptr_t end = end_of(f, addr, pages);
	struct hp_part p;

	while (hp_part_next(&f->slots, &addr, end, &p))
		hp_shelf_unplace(f, p.slot, p.first, p.len, clean);
}

bool hp_stretch_is_free(struct hp_filler *f, uintptr_t addr, size_t pages)
{
	uintptr_t end = end_of(f, addr, pages);
	struct hp_part p;

	while (hp_part_next(&f->slots, &addr, end, &p)) {
		struct hp_slot *slot = hp_part_slot(&f->slots, &p);

		if (slot->state == HP_SLOT_ALIEN ||
		    hp_runs_count(slot->map, p.first, p.len) > 0)
			return false;
	}
	return true;
}
