/* SPDX-License-Identifier: MIT */
#include "libhp/stretch.h"

#include "libhp/runs.h"
#include "libhp/shelf.h"

/* step through a run slot by slot */
struct cursor {
	unsigned int slot, first, len; /* the part inside one slot */
	size_t left;		       /* pages after it */
};

static struct cursor cursor_at(const struct hp_filler *f, uintptr_t addr,
			       size_t pages)
{
	struct cursor c;

	c.slot = hp_slots_index(&f->slots, addr);
	c.first = (unsigned int)((addr & (f->slots.slot - 1)) >>
				 f->slots.page_shift);
	c.len = (unsigned int)hp_min(pages, f->slots.pages - c.first);
	c.left = pages - c.len;
	return c;
}

static bool cursor_next(const struct hp_filler *f, struct cursor *c)
{
	if (c->left == 0)
		return false;
	c->slot++;
	c->first = 0;
	c->len = (unsigned int)hp_min(c->left, f->slots.pages);
	c->left -= c->len;
	return true;
}

void hp_stretch_place(struct hp_filler *f, uintptr_t addr, size_t pages,
		      bool *clean)
{
	struct cursor c = cursor_at(f, addr, pages);

	*clean = true;
	do {
		*clean = *clean && hp_shelf_clean(f, c.slot, c.first, c.len);
		hp_shelf_place(f, c.slot, c.first, c.len);
	} while (cursor_next(f, &c));
}

void hp_stretch_unplace(struct hp_filler *f, uintptr_t addr, size_t pages,
			bool clean)
{
	struct cursor c = cursor_at(f, addr, pages);

	do
		hp_shelf_unplace(f, c.slot, c.first, c.len, clean);
	while (cursor_next(f, &c));
}

bool hp_stretch_is_free(struct hp_filler *f, uintptr_t addr, size_t pages)
{
	struct cursor c = cursor_at(f, addr, pages);

	do {
		struct hp_slot *slot = hp_slots_at(&f->slots, c.slot);

		if (slot->state == HP_SLOT_ALIEN ||
		    hp_runs_count(slot->map, c.first, c.len) > 0)
			return false;
	} while (cursor_next(f, &c));
	return true;
}
