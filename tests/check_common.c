/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "libhp/common.h"
#include "tests/suite.h"

START_TEST(rounds_up_to_the_next_multiple)
{
	ck_assert_uint_eq(hp_align_up(0, 4096), 0);
	ck_assert_uint_eq(hp_align_up(1, 4096), 4096);
	ck_assert_uint_eq(hp_align_up(4096, 4096), 4096);
	ck_assert_uint_eq(hp_align_up(4097, 4096), 8192);
}
END_TEST

START_TEST(rounding_up_past_the_end_wraps_to_zero)
{
	ck_assert_uint_eq(hp_align_up(SIZE_MAX, 4096), 0);
	ck_assert_uint_eq(hp_align_up(SIZE_MAX - 4094, 4096), 0);
	ck_assert_uint_eq(hp_align_up(SIZE_MAX - 4095, 4096), SIZE_MAX - 4095);
}
END_TEST

START_TEST(rounds_down_to_a_multiple)
{
	ck_assert_uint_eq(hp_align_down(4095, 4096), 0);
	ck_assert_uint_eq(hp_align_down(4096, 4096), 4096);
	ck_assert_uint_eq(hp_align_down(SIZE_MAX, 4096), SIZE_MAX - 4095);
}
END_TEST

START_TEST(knows_aligned_from_unaligned)
{
	ck_assert(hp_is_aligned(0, HP_MIB));
	ck_assert(hp_is_aligned(3 * HP_MIB, HP_MIB));
	ck_assert(!hp_is_aligned(HP_MIB + 1, HP_MIB));
}
END_TEST

START_TEST(zero_is_no_power_of_two)
{
	ck_assert(!hp_is_pow2(0));
	ck_assert(hp_is_pow2(1));
	ck_assert(hp_is_pow2((size_t)1 << 63));
	ck_assert(!hp_is_pow2(SIZE_MAX));
}
END_TEST

START_TEST(log2_is_the_floor)
{
	ck_assert_uint_eq(hp_log2(1), 0);
	ck_assert_uint_eq(hp_log2(2 * HP_MIB), 21);
	ck_assert_uint_eq(hp_log2(2 * HP_MIB - 1), 20);
	ck_assert_uint_eq(hp_log2(SIZE_MAX), 63);
}
END_TEST

static Suite *common_suite(void)
{
	Suite *suite = suite_create("common");
	TCase *tcase = tcase_create("arithmetic");

	tcase_add_test(tcase, rounds_up_to_the_next_multiple);
	tcase_add_test(tcase, rounding_up_past_the_end_wraps_to_zero);
	tcase_add_test(tcase, rounds_down_to_a_multiple);
	tcase_add_test(tcase, knows_aligned_from_unaligned);
	tcase_add_test(tcase, zero_is_no_power_of_two);
	tcase_add_test(tcase, log2_is_the_floor);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(common_suite());
}
