/* SPDX-License-Identifier: MIT */
/*
 * check_filler.c - pages handed out and taken back, against a shadow model
 */
#include "tests/filler.h"

#include <sys/resource.h>

#define BLOCKS 200
#define ROUNDS 3000

static const struct setup setups[] = {
	{.mode = HP_MODE_TRY, .start = 0, .bloat = 25},
	{.mode = HP_MODE_TRY, .start = 0, .bloat = 0},
	{.mode = HP_MODE_TRY, .start = 8 * HP_MIB, .bloat = 25},
	{.mode = HP_MODE_TRY, .start = HP_GIB, .bloat = 10},
	{.mode = HP_MODE_OFF, .bloat = 25},
	/* arm64 with pages of 16K and of 64K */
	{16 * HP_KIB, 32 * HP_MIB, HP_MODE_TRY, 0, 25},
	{64 * HP_KIB, 512 * HP_MIB, HP_MODE_TRY, HP_GIB, 25},
};

struct model {
	struct rng rng;
	struct block blocks[BLOCKS];
	unsigned int n;
	uint64_t stamp, pages;
};

static bool overlaps(const struct block *a, const struct block *b)
{
	return a->addr < b->addr + bytes_of(b->pages) &&
	       b->addr < a->addr + bytes_of(a->pages);
}

static void model_add(struct model *m, struct block b)
{
	for (unsigned int i = 0; i < m->n; i++)
		QUICK_ASSERT(!overlaps(&m->blocks[i], &b));
	b.stamp = ++m->stamp;
	block_stamp(&b, 0);
	m->blocks[m->n++] = b;
	m->pages += b.pages;
}

static void take(struct model *m)
{
	unsigned int most =
		rng_below(&m->rng, 40) ? 64 : 2 * filler.slots.pages;
	size_t pages = rng_size(&m->rng, most);
	size_t align = (size_t)1 << rng_below(&m->rng, 4);
	bool clean;
	char *addr = hp_filler_take(&filler, pages, align, &clean);

	ck_assert_ptr_nonnull(addr);
	ck_assert(hp_slots_hold(&filler.slots, addr));
	ck_assert(hp_is_aligned((uintptr_t)addr, bytes_of(align)));
	if (clean)
		check_zero(addr, bytes_of(pages));
	model_add(m, (struct block){addr, pages, 0});
}

static void grow(struct model *m)
{
	struct block *b = &m->blocks[rng_below(&m->rng, m->n)];
	size_t pages = rng_size(&m->rng, 32);
	struct block more = {b->addr + bytes_of(b->pages), pages, b->stamp};
	bool clean;

	if (!hp_filler_take_at(&filler, more.addr, pages, &clean))
		return;
	for (unsigned int i = 0; i < m->n; i++)
		QUICK_ASSERT(!overlaps(&m->blocks[i], &more));
	if (clean)
		check_zero(more.addr, bytes_of(pages));
	block_stamp(&more, 0);
	b->pages += pages;
	m->pages += pages;
}

static void give(struct model *m)
{
	unsigned int i = rng_below(&m->rng, m->n);
	struct block b = m->blocks[i];

	block_check(&b);
	hp_filler_give(&filler, b.addr, b.pages);
	m->pages -= b.pages;
	m->blocks[i] = m->blocks[--m->n];
}

/* the head, the middle or the tail of a run */
static void give_part(struct model *m)
{
	struct block *b = &m->blocks[rng_below(&m->rng, m->n)];
	size_t first, pages;
	struct block tail;

	if (b->pages < 3 || m->n == BLOCKS)
		return;
	first = rng_below(&m->rng, (unsigned int)b->pages - 2);
	pages = 1 + rng_below(&m->rng, (unsigned int)(b->pages - first - 1));
	hp_filler_give(&filler, b->addr + bytes_of(first), pages);
	tail = *b;
	tail.addr += bytes_of(first + pages);
	tail.pages -= first + pages;
	m->pages -= pages;
	*b = (struct block){b->addr, first, b->stamp};
	if (first == 0)
		*b = tail;
	else if (tail.pages > 0)
		m->blocks[m->n++] = tail;
}

static void step(struct model *m)
{
	unsigned int dice = rng_below(&m->rng, 100);

	if (m->n == 0 || (dice < 48 && m->n < BLOCKS))
		take(m);
	else if (dice < 60)
		grow(m);
	else if (dice < 70)
		give_part(m);
	else
		give(m);
}

static void check_model(const struct model *m)
{
	check_filler();
	ck_assert_uint_eq(filler.used, m->pages);
	for (unsigned int i = 0; i < m->n; i++)
		block_check(&m->blocks[i]);
}

static struct model model;

START_TEST(runs_are_disjoint_aligned_and_zero_where_clean)
{
	filler_open(&setups[_i]);
	model.rng = rng_seed((uint64_t)_i);
	for (int round = 0; round < ROUNDS; round++) {
		step(&model);
		if (round % 100 == 0)
			check_model(&model);
	}
	while (model.n > 0)
		give(&model);
	check_model(&model);
}
END_TEST

static const struct setup huge = {.bloat = 25};

static char *must_take(size_t pages)
{
	bool clean;
	char *p = hp_filler_take(&filler, pages, 1, &clean);

	ck_assert_ptr_nonnull(p);
	return p;
}

START_TEST(prefers_the_fullest_slot_with_room)
{
	unsigned int pages;
	char *sparse, *full, *p;

	filler_open(&huge);
	pages = filler.slots.pages;
	sparse = must_take(pages);
	full = must_take(pages);
	hp_filler_give(&filler, sparse, pages / 2);
	hp_filler_give(&filler, full, pages / 16);
	for (unsigned int i = 0; i < pages / 16; i++) {
		p = must_take(1);
		ck_assert(p >= full && p < full + bytes_of(pages));
	}
	p = must_take(1);
	ck_assert(p >= sparse && p < sparse + bytes_of(pages));
	check_filler();
}
END_TEST

START_TEST(rest_of_the_last_slot_is_for_others)
{
	size_t pages;
	char *large, *small;

	filler_open(&huge);
	pages = 3 * filler.slots.pages + 7;
	large = must_take(pages);
	small = must_take(1);
	ck_assert_ptr_eq(small, large + bytes_of(pages));
	ck_assert_uint_eq(filler.used, pages + 1);
	check_filler();
}
END_TEST

START_TEST(runs_lie_in_two_slots_where_that_is_wanted)
{
	size_t pages;
	char *first, *p;

	filler_open(&huge);
	filler.crosses = true;
	pages = filler.slots.pages / 2 + 1;
	first = must_take(pages);
	for (size_t i = 1; i < 9; i++) {
		p = must_take(pages);
		ck_assert_ptr_eq(p, first + bytes_of(i * pages));
	}
	check_filler();
	hp_filler_give_clean(&filler, first + bytes_of(pages), pages);
	ck_assert_uint_eq(filler.used, 8 * pages);
	check_filler();
}
END_TEST

/* each slot opened before others leaves a gap that is too small */
START_TEST(past_the_bound_only_slots_behind_all_others_are_opened)
{
	char *slots[16], *p;
	unsigned int before = 0;
	size_t pages;

	filler_open(&huge);
	filler.crosses = true;
	pages = filler.slots.pages;
	for (size_t i = 0; i < HP_ARRAY_SIZE(slots); i++)
		slots[i] = must_take(pages);
	for (size_t i = 0; i < HP_ARRAY_SIZE(slots); i += 2)
		hp_filler_give_clean(&filler, slots[i], pages);
	for (int i = 0; i < 12; i++) {
		p = must_take(pages / 2 + 1);
		before += p < slots[HP_ARRAY_SIZE(slots) - 1];
	}
	ck_assert_uint_eq(before, 6);
	check_filler();
}
END_TEST

START_TEST(alignment_beyond_a_slot_is_kept)
{
	bool clean;

	filler_open(&huge);
	must_take(1);
	for (size_t align = 1; align <= 16; align *= 2) {
		size_t pages = align * filler.slots.pages;
		char *p = hp_filler_take(&filler, 1, pages, &clean);

		ck_assert(hp_is_aligned((uintptr_t)p, bytes_of(pages)));
	}
	check_filler();
}
END_TEST

START_TEST(grows_in_place_up_to_the_neighbour_and_past_the_table)
{
	bool clean;
	size_t pages;
	char *p;

	filler_open(&huge);
	pages = filler.slots.pages;
	p = must_take(pages);
	ck_assert(hp_filler_take_at(&filler, p + bytes_of(pages), 3 * pages,
				    &clean));
	ck_assert(clean);
	hp_filler_give(&filler, p + bytes_of(10), 5);
	ck_assert(!hp_filler_take_at(&filler, p + bytes_of(10), 6, &clean));
	ck_assert(hp_filler_take_at(&filler, p + bytes_of(10), 5, &clean));
	ck_assert(!clean);
	check_filler();
}
END_TEST

START_TEST(address_space_is_not_spent_on_growth_that_fails)
{
	size_t bytes, pages;
	bool clean;
	char *p;

	filler_open(&huge);
	pages = filler.slots.pages;
	p = must_take(4 * pages);
	hp_filler_give(&filler, p + bytes_of(pages), 1);
	bytes = filler.slots.bytes;
	ck_assert(!hp_filler_take_at(&filler, p + bytes_of(pages), 8 * pages,
				     &clean));
	ck_assert_uint_eq(filler.slots.bytes, bytes);
}
END_TEST

/* LIBHP_START counts what is in use, however it came about */
START_TEST(growth_in_place_is_counted_once)
{
	const struct setup small = {.start = 4 * HP_MIB, .bloat = 25};
	bool clean;
	char *p;

	filler_open(&small);
	p = must_take(4);
	for (int i = 0; i < 3000; i++) {
		ck_assert(hp_filler_take_at(&filler, p + bytes_of(4), 60,
					    &clean));
		hp_filler_give(&filler, p + bytes_of(4), 60);
		ck_assert_uint_eq(filler_start.bytes, bytes_of(4));
	}
	ck_assert(!filler_start.passed);
	ck_assert(!filler.huge);
	ck_assert(hp_filler_take_at(&filler, p + bytes_of(4),
				    4 * HP_MIB / bytes_of(1), &clean));
	ck_assert(filler.huge);
	check_filler();
}
END_TEST

/* something of the program's lies where the heap wants to grow */
START_TEST(a_request_that_fails_makes_nothing_large)
{
	const struct setup small = {.start = 4 * HP_MIB, .bloat = 25};
	bool clean;

	filler_open(&small);
	ck_assert_ptr_nonnull(hp_filler_take(&filler, 1, 1, &clean));
	for (unsigned int bits = 42; bits < 52; bits++)
		ck_assert_ptr_null(hp_filler_take(
			&filler,
			(size_t)1 << (bits + 8 - filler.slots.page_shift), 1,
			&clean));
	ck_assert(!filler.huge && !filler_start.passed);
	ck_assert_ptr_nonnull(hp_filler_take(
		&filler, 8 * HP_MIB >> filler.slots.page_shift, 1, &clean));
	ck_assert(filler.huge);
	check_filler();
}
END_TEST

START_TEST(steps_over_foreign_mappings)
{
	char *mine, *p = NULL;
	size_t slot;

	filler_open(&huge);
	slot = filler.slots.slot;
	must_take(1);
	mine = mmap((char *)filler.slots.base + filler.slots.bytes + slot, 4096,
		    PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	ck_assert_ptr_ne(mine, MAP_FAILED);
	strcpy(mine, "mine");
	for (int i = 0; i < 20; i++) {
		p = must_take(filler.slots.pages);
		memset(p, i + 1, slot);
		ck_assert(mine < p || mine >= p + slot);
	}
	ck_assert_str_eq(mine, "mine");
	ck_assert(p > mine);
	check_filler();
}
END_TEST

START_TEST(no_address_space_is_an_error_not_a_crash)
{
	struct rlimit limit = {512 * HP_MIB, 512 * HP_MIB};
	size_t got = 0;
	bool clean;

	filler_open(&huge);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	errno = 42;
	while (hp_filler_take(&filler, filler.slots.pages, 1, &clean))
		got++;
	ck_assert_int_eq(errno, 42);
	ck_assert_uint_ge(got, 384 * HP_MIB / filler.slots.slot);
	ck_assert_ptr_null(hp_filler_take(&filler, SIZE_MAX >> 13, 1, &clean));
	check_filler();
}
END_TEST

static Suite *filler_suite(void)
{
	Suite *suite = suite_create("filler");
	TCase *tcase = tcase_create("model");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase,
			    runs_are_disjoint_aligned_and_zero_where_clean, 0,
			    HP_ARRAY_SIZE(setups));
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("placement");
	tcase_add_test(tcase, prefers_the_fullest_slot_with_room);
	tcase_add_test(tcase, rest_of_the_last_slot_is_for_others);
	tcase_add_test(tcase, runs_lie_in_two_slots_where_that_is_wanted);
	tcase_add_test(tcase,
		       past_the_bound_only_slots_behind_all_others_are_opened);
	tcase_add_test(tcase, alignment_beyond_a_slot_is_kept);
	tcase_add_test(tcase,
		       grows_in_place_up_to_the_neighbour_and_past_the_table);
	tcase_add_test(tcase, address_space_is_not_spent_on_growth_that_fails);
	tcase_add_test(tcase, growth_in_place_is_counted_once);
	tcase_add_test(tcase, a_request_that_fails_makes_nothing_large);
	tcase_add_test(tcase, steps_over_foreign_mappings);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	tcase_add_test(tcase, no_address_space_is_an_error_not_a_crash);
#endif
	(void)no_address_space_is_an_error_not_a_crash;
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(filler_suite());
}
