/* SPDX-License-Identifier: MIT */
/*
 * check_bloat.c - what the kernel holds for a filler, by the kernel's figures
 */
#include "tests/filler.h"

#define BLOCKS 6000

static struct block blocks[BLOCKS];

static uint64_t huge_bytes(void)
{
	struct hp_backing b;

	hp_backing_query((void *)filler.slots.base, filler.slots.bytes, &b);
	return b.huge;
}

static void fill(unsigned int i, size_t pages)
{
	struct block *b = &blocks[i];
	bool clean;

	b->addr = hp_filler_take(&filler, pages, 1, &clean);
	ck_assert_ptr_nonnull(b->addr);
	QUICK_ASSERT(clean || b->addr);
	/* before Linux 6.13 what was read first is small once it is written */
	hp_linux_populate(b->addr, bytes_of(pages));
	if (clean)
		check_zero(b->addr, bytes_of(pages));
	b->pages = pages;
	b->stamp = i + 1;
	memset(b->addr, 0x55, bytes_of(pages));
	block_stamp(b, 0);
}

static void drop(unsigned int i)
{
	block_check(&blocks[i]);
	hp_filler_give(&filler, blocks[i].addr, blocks[i].pages);
	blocks[i].pages = 0;
}

static void fill_all(struct rng *rng, unsigned int max)
{
	for (unsigned int i = 0; i < BLOCKS; i++)
		if (!blocks[i].pages)
			fill(i, 1 + rng_below(rng, max));
}

/* leaves one in @keep */
static void drop_most(struct rng *rng, unsigned int keep)
{
	for (unsigned int i = 0; i < BLOCKS; i++)
		if (blocks[i].pages && rng_below(rng, keep))
			drop(i);
}

static const struct setup setups[] = {
	{.bloat = 25},
	{.bloat = 0},
	{.bloat = 100},
	{.bloat = 25, .start = HP_GIB},
	{.bloat = 25, .mode = HP_MODE_OFF},
};

START_TEST(holds_after_most_is_freed_at_random)
{
	struct rng rng = rng_seed((uint64_t)_i);

	filler_open(&setups[_i]);
	for (int phase = 0; phase < 3; phase++) {
		fill_all(&rng, 8);
		settle_down();
		check_bound();
		drop_most(&rng, 10);
		settle_down();
		check_bound();
	}
	drop_most(&rng, UINT32_MAX);
	settle_down();
	check_bound();
}
END_TEST

static const struct setup plain = {.bloat = 25};

static void fill_slots(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		fill(i, filler.slots.pages);
}

START_TEST(trim_leaves_no_empty_slot_resident)
{
	filler_open(&plain);
	fill_slots(8);
	for (unsigned int i = 0; i < 8; i++)
		drop(i);
	ck_assert_uint_gt(present(), 0);
	hp_bloat_trim(&filler);
	ck_assert_uint_eq(present(), 0);
	ck_assert_uint_eq(filler.resident, 0);
	check_filler();
}
END_TEST

static unsigned int released_slots;

static void count_released(const struct hp_range *r, void *arg)
{
	(void)arg;
	if (r->reason == HP_REASON_RELEASED)
		released_slots += (unsigned int)((r->end - r->start) >>
						 filler.slots.slot_shift);
}

/* all but the first @pages pages of each of @n full slots */
static void thin_out(unsigned int n, unsigned int pages)
{
	for (unsigned int i = 0; i < n; i++) {
		hp_filler_give(&filler, blocks[i].addr + bytes_of(pages),
			       blocks[i].pages - pages);
		blocks[i].pages = pages;
	}
}

START_TEST(broken_slots_are_reported_as_released)
{
	filler_open(&plain);
	fill_slots(16);
	thin_out(16, 8);
	settle_down();
	check_bound();
	hp_filler_ranges(&filler, count_released, NULL);
	ck_assert_uint_ge(released_slots, 12);
	for (unsigned int i = 0; i < 16; i++)
		block_check(&blocks[i]);
}
END_TEST

START_TEST(broken_slot_that_fills_up_is_huge_again)
{
	filler_open(&plain);
	fill_slots(16);
	thin_out(16, 8);
	settle_down();
	ck_assert_uint_lt(huge_bytes(), 8 * filler.slots.slot);
	for (unsigned int i = 16; filler.used < 16 * filler.slots.pages; i++)
		fill(i, 8);
	check_filler();
	ck_assert_uint_ge(huge_bytes(), 15 * filler.slots.slot);
	for (unsigned int i = 0; i < 16; i++)
		block_check(&blocks[i]);
}
END_TEST

/* one thread at a time breaks or mends: whoever comes meanwhile is not lost */
START_TEST(slot_that_fills_up_during_a_release_is_huge_after_it)
{
	unsigned int next = 16;

	filler_open(&plain);
	fill_slots(16);
	thin_out(16, 8);
	settle_down();
	filler.releasing = true;
	while (filler.used < 16 * filler.slots.pages)
		fill(next++, 8);
	ck_assert_uint_lt(huge_bytes(), 8 * filler.slots.slot);
	filler.releasing = false;
	for (int i = 0; i < 16; i++)
		fill(next++, 8);
	check_filler();
	ck_assert_uint_ge(huge_bytes(), 15 * filler.slots.slot);
}
END_TEST

/* more, and the scheduler was in the way or the machine is slow */
#define ROUND_MS 25

START_TEST(what_is_taken_in_every_round_stays_between_them)
{
	int undisturbed = 0;

	filler_open(&plain);
	for (int round = 0; round < 12; round++) {
		uint64_t start = hp_linux_now_ms();

		fill_slots(12);
		for (unsigned int i = 0; i < 12; i++)
			drop(i);
		undisturbed++;
		if (hp_linux_now_ms() - start >= ROUND_MS)
			undisturbed = 0;
	}
	printf("%d rounds in a row undisturbed\n", undisturbed);
	if (undisturbed >= 4)
		ck_assert_uint_ge(present(), 11 * filler.slots.slot);
	settle_down();
	check_bound();
}
END_TEST

/* not mlock(3), which sanitizers ignore; false: RLIMIT_MEMLOCK */
static bool lock(const void *addr, size_t len)
{
	return hp_linux_lock((void *)(uintptr_t)addr, len, 0) == 0;
}

/* the kernel refuses to take locked pages back: they are neither clean nor
 * gone, and must not stop others from going back */
START_TEST(locked_pages_are_never_taken_for_clean)
{
	size_t slot;

	filler_open(&plain);
	slot = filler.slots.slot;
	fill_slots(16);
	if (!lock(blocks[0].addr, 4 * slot))
		return;
	thin_out(8, 8);
	settle_down();
	for (unsigned int i = 16; i < 400; i++)
		fill(i, 8);
	check_filler();
	for (unsigned int i = 0; i < 8; i++)
		block_check(&blocks[i]);
}
END_TEST

START_TEST(locked_slots_stop_no_other_from_going_back)
{
	filler_open(&plain);
	fill_slots(16);
	if (!lock(blocks[15].addr, filler.slots.slot))
		return;
	for (unsigned int i = 0; i < 16; i++)
		drop(i);
	hp_bloat_trim(&filler);
	ck_assert_uint_eq(present(), filler.slots.slot);
	fill_slots(16);
	check_filler();
}
END_TEST

START_TEST(slots_mended_or_given_back_are_not_broken)
{
	filler_open(&plain);
	for (int round = 0; round < 20; round++) {
		fill_slots(16);
		thin_out(16, 8);
		hp_bloat_trim(&filler);
		for (unsigned int i = 0; i < 16; i++)
			drop(i);
		hp_bloat_trim(&filler);
	}
	ck_assert_uint_eq(filler.broken, 0);
	fill_slots(16);
	thin_out(16, 8);
	hp_bloat_trim(&filler);
	check_bound();
}
END_TEST

/* the next owner gets neither the advice nor the protection of the last */
START_TEST(memory_the_program_changed_is_renewed_when_free)
{
	size_t slot;

	filler_open(&plain);
	slot = filler.slots.slot;
	fill_slots(4);
	madvise(blocks[1].addr, slot, MADV_NOHUGEPAGE);
	madvise(blocks[1].addr, slot, MADV_DONTFORK);
	mprotect(blocks[2].addr, slot, PROT_READ);
	hp_mark(&filler, (uintptr_t)blocks[1].addr, (uintptr_t)blocks[3].addr,
		true, HP_REASON_PROGRAM_ADVICE);
	drop(1);
	drop(2);
	fill(1, filler.slots.pages);
	fill(2, filler.slots.pages);
	ck_assert_uint_eq(huge_bytes(), 4 * slot);
	check_filler();
}
END_TEST

static Suite *bloat_suite(void)
{
	Suite *suite = suite_create("bloat");
	TCase *tcase = tcase_create("bloat");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, holds_after_most_is_freed_at_random, 0,
			    HP_ARRAY_SIZE(setups));
	tcase_add_test(tcase, trim_leaves_no_empty_slot_resident);
	tcase_add_test(tcase, what_is_taken_in_every_round_stays_between_them);
	tcase_add_test(tcase, broken_slots_are_reported_as_released);
	if (have_collapse()) {
		tcase_add_test(tcase, broken_slot_that_fills_up_is_huge_again);
		tcase_add_test(
			tcase,
			slot_that_fills_up_during_a_release_is_huge_after_it);
	}
	tcase_add_test(tcase, locked_pages_are_never_taken_for_clean);
	tcase_add_test(tcase, locked_slots_stop_no_other_from_going_back);
	tcase_add_test(tcase, slots_mended_or_given_back_are_not_broken);
	if (have_collapse())
		tcase_add_test(tcase,
			       memory_the_program_changed_is_renewed_when_free);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(bloat_suite());
}
