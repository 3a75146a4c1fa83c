/* SPDX-License-Identifier: MIT */
/*
 * check_maplist.c - the list of mappings against a model of a byte per page
 */
#include "tests/memory.h"

#include <sys/resource.h>

#include "preload/maplist.h"
#include "tests/random.h"

#define PAGES 2000
#define PAGE 4096
#define KINDS 3

/* 0: not listed; else 1 + kind + KINDS * reason */
static uint8_t model[PAGES];

static void set(unsigned int first, unsigned int end, unsigned int kind,
		unsigned int reason)
{
	hp_maplist_set((uintptr_t)first * PAGE, (uintptr_t)end * PAGE,
		       (enum hp_map_kind)kind, reason);
	memset(model + first, (int)(1 + kind + KINDS * reason), end - first);
}

static void cut(unsigned int first, unsigned int end)
{
	hp_maplist_cut((uintptr_t)first * PAGE, (uintptr_t)end * PAGE);
	memset(model + first, 0, end - first);
}

/* the run of equal pages from the first listed one at or after @first */
static unsigned int next_run(unsigned int *first)
{
	unsigned int end;

	while (*first < PAGES && !model[*first])
		++*first;
	for (end = *first; end < PAGES && model[end] == model[*first];)
		end++;
	return end;
}

static void check_entry(const struct hp_map *map, unsigned int first,
			unsigned int end)
{
	QUICK_ASSERT(map != NULL);
	QUICK_ASSERT(map->start == (uintptr_t)first * PAGE);
	QUICK_ASSERT(map->end == (uintptr_t)end * PAGE);
	QUICK_ASSERT(1 + map->kind + KINDS * map->reason == model[first]);
}

static void check_list(void)
{
	uint64_t advised = 0;
	unsigned int first = 0, end, last = 0;
	size_t runs = 0;
	uintptr_t at = 0;

	while ((end = next_run(&first)) > first) {
		const struct hp_map *map = hp_maplist_find(at);

		check_entry(map, first, end);
		if (map->kind == HP_MAP_ADVISED)
			advised += map->end - map->start;
		QUICK_ASSERT(hp_maplist_near(map->start, map->end));
		runs += last < first || first == 0 ||
			(model[last - 1] - 1) % KINDS !=
				(model[first] - 1) % KINDS;
		at = map->end;
		first = last = end;
	}
	QUICK_ASSERT(hp_maplist_find(at) == NULL);
	QUICK_ASSERT(hp_maplist_advised() == advised);
	QUICK_ASSERT(hp_maplist_runs() == runs);
}

static void change(struct rng *rng, unsigned int longest)
{
	unsigned int first = rng_below(rng, PAGES);
	unsigned int end = first + 1 + rng_below(rng, longest);

	end = (unsigned int)hp_min(end, PAGES);
	if (rng_below(rng, 3) == 0)
		cut(first, end);
	else
		set(first, end, rng_below(rng, KINDS), rng_below(rng, 3));
}

START_TEST(follows_every_change)
{
	static const unsigned int longest[] = {1, 3, 40, PAGES};
	struct rng rng = rng_seed((uint64_t)_i);

	for (int round = 0; round < 4000; round++) {
		change(&rng, longest[_i]);
		check_list();
	}
	cut(0, PAGES);
	check_list();
}
END_TEST

START_TEST(finds_the_entry_that_holds_an_address_or_the_next)
{
	set(10, 20, HP_MAP_ADVISED, 0);
	set(30, 40, HP_MAP_RESERVED, 0);
	check_entry(hp_maplist_find(0), 10, 20);
	check_entry(hp_maplist_find(15 * PAGE), 10, 20);
	check_entry(hp_maplist_find(20 * PAGE - 1), 10, 20);
	check_entry(hp_maplist_find(20 * PAGE), 30, 40);
	ck_assert_ptr_null(hp_maplist_find(40 * PAGE));
}
END_TEST

START_TEST(far_from_everything_is_not_near)
{
	ck_assert(!hp_maplist_near(0, UINTPTR_MAX));
	set(10, 20, HP_MAP_ADVISED, 0);
	ck_assert(!hp_maplist_near(0, 10 * PAGE));
	ck_assert(!hp_maplist_near(20 * PAGE, 30 * PAGE));
	ck_assert(hp_maplist_near(0, 10 * PAGE + 1));
	ck_assert(hp_maplist_near(20 * PAGE - 1, 30 * PAGE));
}
END_TEST

/* entries that do not join, until there is room for no more */
static void fill_room(void)
{
	const struct rlimit none = {1, 1};

	ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
	for (unsigned int i = 0; i < PAGES / 4; i++)
		hp_maplist_set(PAGE * 4 * i, PAGE * (4 * i + 3), HP_MAP_ADVISED,
			       0);
}

static size_t listed(void)
{
	const struct hp_map *map;
	size_t bytes = 0;

	for (uintptr_t at = 0; (map = hp_maplist_find(at)); at = map->end)
		bytes += map->end - map->start;
	return bytes;
}

START_TEST(what_there_is_no_room_for_is_not_counted)
{
	size_t full;

	fill_room();
	full = listed();
	ck_assert_uint_lt(full, PAGES / 4 * 3 * PAGE);
	ck_assert_uint_eq(hp_maplist_advised(), full);
	hp_maplist_cut(PAGE, 2 * PAGE);
	ck_assert_uint_eq(listed(), full - 2 * PAGE);
	ck_assert_uint_eq(hp_maplist_advised(), listed());
}
END_TEST

static Suite *maplist_suite(void)
{
	Suite *suite = suite_create("maplist");
	TCase *tcase = tcase_create("maplist");

	tcase_add_loop_test(tcase, follows_every_change, 0, 4);
	tcase_add_test(tcase,
		       finds_the_entry_that_holds_an_address_or_the_next);
	tcase_add_test(tcase, far_from_everything_is_not_near);
	tcase_add_test(tcase, what_there_is_no_room_for_is_not_counted);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(maplist_suite());
}
