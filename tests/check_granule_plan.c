/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "libhp/common.h"
#include "probe/granule_plan.h"
#include "tests/suite.h"

static const struct hp_granule_plan plan = {
	.base = 4096,
	.claimed = 2 * HP_MIB,
	.span = 4 * HP_GIB,
	.line = 64,
	.blocks = 8192,
};

START_TEST(an_order_visits_every_block_once)
{
	uint32_t order[1000];
	bool seen[1000] = {false};

	hp_granule_plan_order(1000, 7, order);
	for (size_t i = 0; i < 1000; i++) {
		ck_assert_uint_lt(order[i], 1000);
		ck_assert(!seen[order[i]]);
		seen[order[i]] = true;
	}
}
END_TEST

START_TEST(neighbours_are_visited_far_apart)
{
	uint32_t order[1024];
	size_t at[1024];

	hp_granule_plan_order(1024, 7, order);
	for (size_t i = 0; i < 1024; i++)
		at[order[i]] = i;
	for (size_t i = 0; i < 1024; i += 4)
		for (size_t k = 1; k < 4; k++)
			ck_assert_uint_eq((at[i + k] - at[i] + 1024) % 256, 0);
}
END_TEST

START_TEST(seeds_give_different_orders)
{
	uint32_t a[64], b[64];
	size_t same = 0;

	hp_granule_plan_order(64, 1, a);
	hp_granule_plan_order(64, 2, b);
	for (size_t i = 0; i < 64; i++)
		same += a[i] == b[i];
	ck_assert_uint_lt(same, 32);
}
END_TEST

START_TEST(the_packed_order_visits_every_line_once)
{
	static uint32_t order[3000];
	static bool seen[3000];

	hp_granule_plan_packed(&plan, 3000, 7, order);
	for (size_t i = 0; i < 3000; i++) {
		ck_assert(order[i] < 3000 && !seen[order[i]]);
		seen[order[i]] = true;
	}
}
END_TEST

START_TEST(blocks_stay_in_the_span_and_off_each_other)
{
	size_t spacings[HP_GRANULE_CURVES_MAX], counts[HP_GRANULE_POINTS_MAX];
	size_t n = hp_granule_plan_spacings(&plan, spacings);

	ck_assert_uint_gt(n, 10);
	for (size_t c = 0; c < n; c++) {
		size_t m = hp_granule_plan_counts(&plan, spacings[c], counts);
		size_t blocks = counts[m - 1];

		ck_assert(c == 0 || spacings[c] > spacings[c - 1]);
		for (size_t i = 0; i < blocks; i++) {
			size_t at =
				hp_granule_plan_offset(&plan, spacings[c], i);

			ck_assert_uint_eq(at / spacings[c], i);
			ck_assert_uint_le(at + plan.line, plan.span);
		}
	}
}
END_TEST

static Suite *plan_suite(void)
{
	Suite *suite = suite_create("granule plan");
	TCase *tcase = tcase_create("orders and places");

	/* for valgrind's sake */
	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, an_order_visits_every_block_once);
	tcase_add_test(tcase, neighbours_are_visited_far_apart);
	tcase_add_test(tcase, seeds_give_different_orders);
	tcase_add_test(tcase, the_packed_order_visits_every_line_once);
	tcase_add_test(tcase, blocks_stay_in_the_span_and_off_each_other);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(plan_suite());
}
