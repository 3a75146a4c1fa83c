/* SPDX-License-Identifier: MIT */
/*
 * filler.h - a filler to play with, and everything that must hold of it
 */
#ifndef TESTS_FILLER_H
#define TESTS_FILLER_H

#include "tests/memory.h"

#include "libhp/backing.h"
#include "libhp/bloat.h"
#include "libhp/filler.h"
#include "libhp/mark.h"
#include "libhp/shelf.h"
#include "tests/random.h"

struct setup {
	size_t page, slot; /* 0: this machine's */
	enum hp_mode mode;
	size_t start;
	unsigned int bloat;
};

static struct hp_filler filler;
static struct hp_options filler_options;
static struct hp_start filler_start;

/* a machine where nothing stands against THP */
static inline void filler_open(const struct setup *setup)
{
	struct hp_pagesizes ps;

	hp_pagesizes_read(&ps);
	ps.thp = HP_THP_MADVISE;
	ps.thp_pmd = HP_THP_INHERIT;
	ps.prctl = 0;
	ps.pmd = setup->slot ? setup->slot : hp_slot_size();
	ps.base = setup->page ? setup->page : hp_linux_page_size();
	hp_options_default(&filler_options);
	filler_options.mode = setup->mode;
	filler_options.bloat = setup->bloat;
	filler_start.threshold = setup->start;
	ck_assert_int_eq(
		hp_filler_init(&filler, &filler_options, &ps, &filler_start),
		0);
}

static inline size_t bytes_of(size_t pages)
{
	return pages << filler.slots.page_shift;
}

static inline bool bit(const uint64_t *map, unsigned int i)
{
	return map[i / 64] >> (i % 64) & 1;
}

static inline void check_bitmaps(struct hp_slot *slot)
{
	const uint64_t *dirty = hp_slot_dirty_map(&filler.slots, slot);
	unsigned int used = 0, ndirty = 0, run = 0, longest = 0;

	for (unsigned int i = 0; i < filler.slots.pages; i++) {
		used += bit(slot->map, i);
		ndirty += bit(dirty, i);
		run = bit(slot->map, i) ? 0 : run + 1;
		longest = (unsigned int)hp_max(longest, run);
		QUICK_ASSERT(!bit(slot->map, i) || bit(dirty, i));
	}
	QUICK_ASSERT(slot->used == used);
	QUICK_ASSERT(slot->dirty == ndirty);
	QUICK_ASSERT(slot->longest == longest);
}

/* on a list if partly used, in the set if empty, nowhere if full or alien */
static inline void check_whereabouts(unsigned int i)
{
	const struct hp_slot *slot = hp_slots_at(&filler.slots, i);
	bool ours = slot->state != HP_SLOT_ALIEN;
	bool part = slot->used > 0 && slot->used < filler.slots.pages;

	QUICK_ASSERT(hp_slots_is_empty(&filler.slots, i) ==
		     (ours && slot->used == 0));
	QUICK_ASSERT((slot->list != HP_SLOT_UNLISTED) == part);
	QUICK_ASSERT(ours || slot->used == 0);
}

/* returns how many members the list has */
static inline unsigned int check_list(unsigned int l)
{
	unsigned int n = 0, before = 0, first = 0;

	for (unsigned int i = filler.heads[l]; i; n++) {
		const struct hp_slot *slot = hp_slots_at(&filler.slots, i - 1);
		unsigned int free = filler.slots.pages - slot->used;

		QUICK_ASSERT(slot->list == l);
		QUICK_ASSERT(slot->prev == before);
		QUICK_ASSERT(free * HP_FILLER_FULLNESS /
				     (filler.slots.pages + 1) ==
			     l % HP_FILLER_FULLNESS);
		first = first ? first : slot->longest;
		QUICK_ASSERT(slot->longest <= first + first / 4);
		QUICK_ASSERT(slot->longest + slot->longest / 4 >= first);
		before = i;
		i = slot->next;
	}
	QUICK_ASSERT(bit(filler.filled, l) == (n > 0));
	return n;
}

/* nobody else may use the filler meanwhile */
static inline void check_filler(void)
{
	uint64_t used = 0, resident = 0, broken = 0;
	unsigned int listed = 0;

	for (unsigned int i = 0; i < filler.slots.n; i++) {
		struct hp_slot *slot = hp_slots_at(&filler.slots, i);

		check_bitmaps(slot);
		check_whereabouts(i);
		used += slot->used;
		broken += (slot->flags & HP_SLOT_BROKEN) != 0;
		resident += hp_shelf_resident(&filler, slot);
		listed += slot->list != HP_SLOT_UNLISTED;
	}
	for (unsigned int l = 0; l < HP_FILLER_LISTS; l++)
		listed -= check_list(l);
	QUICK_ASSERT(listed == 0);
	QUICK_ASSERT(filler.used == used);
	QUICK_ASSERT(filler.resident == resident);
	QUICK_ASSERT(filler.broken == broken);
	QUICK_ASSERT(filler.slots.bytes == (size_t)filler.slots.n
						   << filler.slots.slot_shift);
}

/* one run, every page of it stamped */
struct block {
	char *addr;
	size_t pages;
	uint64_t stamp;
};

static inline uint64_t *word_of(const struct block *b, size_t page)
{
	return (uint64_t *)(b->addr + bytes_of(page));
}

static inline void block_stamp(struct block *b, size_t from)
{
	for (size_t i = from; i < b->pages; i++)
		*word_of(b, i) = b->stamp;
}

static inline void block_check(const struct block *b)
{
	for (size_t i = 0; i < b->pages; i++)
		QUICK_ASSERT(*word_of(b, i) == b->stamp);
}

static inline void check_zero(const char *addr, size_t len)
{
	for (size_t i = 0; i < len; i += 64)
		QUICK_ASSERT(*(const uint64_t *)(addr + i) == 0);
}

static inline uint64_t present(void)
{
	struct hp_backing b;

	ck_assert_int_eq(hp_backing_query((void *)filler.slots.base,
					  filler.slots.bytes, &b),
			 0);
	ck_assert_uint_eq(b.unknown, 0);
	return b.present;
}

/* the promise, with the slots that may stay in any case */
static inline uint64_t bound(void)
{
	uint64_t used = bytes_of(filler.used);

	return used + hp_max(used * filler.bloat / 100, 2 * filler.slots.slot);
}

/* a bound passed a moment ago is settled by one of the next gives */
static inline void settle_down(void)
{
	bool clean;

	usleep(120 * 1000);
	for (int i = 0; i < 100; i++) {
		char *p = hp_filler_take(&filler, 1, 1, &clean);

		ck_assert_ptr_nonnull(p);
		hp_filler_give(&filler, p, 1);
	}
}

static inline void check_bound(void)
{
	check_filler();
	ck_assert_uint_le(bytes_of(filler.resident), bound());
	ck_assert_uint_le(present(), bound());
}

#endif
