/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "probe/kernels.h"
#include "tests/suite.h"

enum { NODES = 4096, SPAN = NODES * 128 };

static struct hp_layout layout;
static struct hp_chain chain;
static char *base;

static void setup(void)
{
	ck_assert_int_eq(hp_layout_dense(&layout, SPAN, 128), 0);
	base = aligned_alloc(4096, SPAN);
	ck_assert_ptr_nonnull(base);
	hp_chain_init(&chain, &layout, 11, false);
	hp_chain_link(&chain, base);
}

static void teardown(void)
{
	free(base);
}

START_TEST(each_stream_advances_by_its_share)
{
	unsigned int n = (unsigned int)_i;
	const struct hp_kernel *kernel = hp_kernel_streams(n);
	struct hp_walk walk = {0};
	size_t done;

	ck_assert_uint_eq(kernel->streams, n);
	for (unsigned int i = 0; i < n; i++)
		walk.at[i] = hp_chain_node(&chain, base, 100 * i);
	done = kernel->run(&walk, 1000);
	ck_assert_uint_ge(done, 1000);
	ck_assert_uint_eq(done % n, 0);
	for (unsigned int i = 0; i < n; i++)
		ck_assert_uint_eq(
			walk.at[i],
			hp_chain_node(&chain, base, 100 * i + done / n));
}
END_TEST

START_TEST(there_are_one_to_sixteen_streams)
{
	ck_assert_ptr_null(hp_kernel_streams(0));
	ck_assert_ptr_nonnull(hp_kernel_streams(16));
	ck_assert_ptr_null(hp_kernel_streams(17));
}
END_TEST

START_TEST(named_chases_follow_the_chain)
{
	static const char *const names[] = {"raw", "sites"};
	const struct hp_kernel *kernel = hp_kernel_find(names[_i]);
	struct hp_walk walk = {.at = {hp_chain_node(&chain, base, 5)}};
	size_t done = kernel->run(&walk, 333);

	ck_assert_uint_eq(walk.at[0], hp_chain_node(&chain, base, 5 + done));
}
END_TEST

START_TEST(masked_chase_takes_the_key_off)
{
	struct hp_walk walk = {0};
	struct hp_chain masked;
	size_t done;

	hp_chain_init(&masked, &layout, 11, true);
	hp_chain_link(&masked, base);
	walk.at[0] = hp_chain_node(&masked, base, 0);
	walk.key = masked.key;
	done = hp_kernel_find("masked")->run(&walk, 500);
	ck_assert_uint_eq(walk.at[0], hp_chain_node(&masked, base, done));
}
END_TEST

START_TEST(random_walk_depends_on_what_it_loads)
{
	const uint64_t *word = (const uint64_t *)base;
	uint64_t i = 0, k = 0;
	struct hp_walk walk = {.base = (uintptr_t)base, .mask = SPAN / 8 - 1};
	uint64_t last = 0;
	size_t done;

	hp_chain_scatter(base, SPAN, 2);
	done = hp_kernel_find("random")->run(&walk, 640);
	for (size_t n = 0; n < done; n++) {
		last = word[i];
		i = (last ^ k) & walk.mask;
		k += 0x9e3779b97f4a7c15u;
	}
	ck_assert_uint_eq(walk.carried, last);
	ck_assert_uint_eq(walk.counter, k);
}
END_TEST

START_TEST(blind_walk_makes_the_loads_asked_for_and_wraps)
{
	uint64_t table[300];
	struct hp_walk walk = {
		.base = (uintptr_t)base, .table = table, .entries = 300};

	hp_chain_offsets(&chain, 0, table, 300);
	ck_assert_uint_eq(hp_kernel_find("blind")->run(&walk, 1000), 1000);
	ck_assert_uint_eq(walk.entry, 1000 % 300);
}
END_TEST

/* A word of all ones would spoil the next address if it had influence. */
START_TEST(blind_walk_ignores_content_and_writes_nothing)
{
	static const int contents[] = {0, 0xff, 0x5a};
	uint64_t table[NODES];
	struct hp_walk walk = {
		.base = (uintptr_t)base, .table = table, .entries = NODES};
	char *copy = malloc(SPAN);

	hp_chain_offsets(&chain, 0, table, NODES);
	for (size_t c = 0; c < HP_ARRAY_SIZE(contents); c++) {
		memset(base, contents[c], SPAN);
		memcpy(copy, base, SPAN);
		hp_kernel_find("blind")->run(&walk, 3 * NODES);
		ck_assert_uint_eq(walk.carried, 0);
		ck_assert_int_eq(memcmp(base, copy, SPAN), 0);
	}
	free(copy);
}
END_TEST

START_TEST(some_kernels_have_more_load_sites_than_predictors_track)
{
	ck_assert_uint_gt(hp_kernel_find("sites")->sites, 64);
	ck_assert_uint_gt(hp_kernel_find("blind")->sites, 64);
	ck_assert_ptr_null(hp_kernel_find("no such kernel"));
}
END_TEST

static Suite *kernels_suite(void)
{
	Suite *suite = suite_create("kernels");
	TCase *tcase = tcase_create("kernels");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, each_stream_advances_by_its_share, 1, 17);
	tcase_add_test(tcase, there_are_one_to_sixteen_streams);
	tcase_add_loop_test(tcase, named_chases_follow_the_chain, 0, 2);
	tcase_add_test(tcase, masked_chase_takes_the_key_off);
	tcase_add_test(tcase, random_walk_depends_on_what_it_loads);
	tcase_add_test(tcase, blind_walk_makes_the_loads_asked_for_and_wraps);
	tcase_add_test(tcase, blind_walk_ignores_content_and_writes_nothing);
	tcase_add_test(tcase,
		       some_kernels_have_more_load_sites_than_predictors_track);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(kernels_suite());
}
