/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>

#include "libhp/common.h"
#include "libhp/ladder.h"
#include "tests/suite.h"

static struct hp_pagesizes machine;
static struct hp_options opt;
static struct hp_ladder ladder;

/* sizes are the test's own: no machine has these */
static void set_up(void)
{
	machine = (struct hp_pagesizes){
		.base = 4096,
		.pmd = 8 * HP_MIB,
		.npools = 2,
		.pools = {{.size = HP_GIB}, {.size = 8 * HP_MIB}},
	};
	hp_options_default(&opt);
}

static void build(const char *pages)
{
	ck_assert_int_eq(hp_options_set(&opt, "PAGES", pages), 0);
	hp_ladder_build(&ladder, &opt, &machine);
}

START_TEST(rungs_keep_the_order_of_the_option)
{
	build("8M,1G,thp");
	ck_assert_uint_eq(ladder.n, 3);
	ck_assert_uint_eq(ladder.rungs[0].size, 8 * HP_MIB);
	ck_assert(ladder.rungs[0].hugetlb);
	ck_assert_uint_eq(ladder.rungs[1].size, HP_GIB);
	ck_assert(ladder.rungs[1].hugetlb);
	ck_assert_uint_eq(ladder.rungs[2].size, machine.pmd);
	ck_assert(!ladder.rungs[2].hugetlb);
}
END_TEST

START_TEST(sizes_the_machine_lacks_are_left_out)
{
	build("16G,8M,2M,thp");
	ck_assert_uint_eq(ladder.n, 2);
	ck_assert_uint_eq(ladder.rungs[0].size, 8 * HP_MIB);
	ck_assert(!ladder.rungs[1].hugetlb);
	build("2M");
	ck_assert_uint_eq(ladder.n, 0);
}
END_TEST

START_TEST(longest_option_fits)
{
	build("8M,1G,8M,1G,8M,1G,8M,thp");
	ck_assert_uint_eq(ladder.n, HP_LADDER_MAX);
	ck_assert(!ladder.rungs[HP_LADDER_MAX - 1].hugetlb);
}
END_TEST

START_TEST(mode_off_leaves_no_rung)
{
	ck_assert_int_eq(hp_options_set(&opt, "MODE", "off"), 0);
	build("8M,thp");
	ck_assert_uint_eq(ladder.n, 0);
}
END_TEST

START_TEST(failed_rung_is_passed_over_for_a_while)
{
	build("8M,thp");
	ck_assert(hp_ladder_pass(&ladder, 0));
	hp_ladder_failed(&ladder, 0);
	for (int i = 0; i < HP_LADDER_BACKOFF; i++) {
		ck_assert(!hp_ladder_pass(&ladder, 0));
		ck_assert(hp_ladder_pass(&ladder, 1));
	}
	ck_assert(hp_ladder_pass(&ladder, 0));
	ck_assert(hp_ladder_pass(&ladder, 0));
}
END_TEST

START_TEST(rebuilt_ladder_forgets_failures)
{
	build("8M,thp");
	hp_ladder_failed(&ladder, 0);
	build("8M,thp");
	ck_assert(hp_ladder_pass(&ladder, 0));
}
END_TEST

START_TEST(errno_tells_the_reason)
{
	static const struct {
		int err;
		bool populate, bound;
		enum hp_reason reason;
	} cases[] = {
		{ENOMEM, false, false, HP_REASON_POOL_EMPTY},
		{ENOMEM, false, true, HP_REASON_POOL_EMPTY},
		{EINVAL, false, false, HP_REASON_UNKNOWN},
		{EFAULT, true, false, HP_REASON_HUGETLB_LIMIT},
		{ENOMEM, true, false, HP_REASON_MEMCG},
		{EFAULT, true, true, HP_REASON_NODE_BOUND},
		{ENOMEM, true, true, HP_REASON_NODE_BOUND},
		{EHWPOISON, true, false, HP_REASON_UNKNOWN},
		{EHWPOISON, true, true, HP_REASON_UNKNOWN},
	};

	for (size_t i = 0; i < HP_ARRAY_SIZE(cases); i++) {
		ck_assert_int_eq(hp_ladder_reason(cases[i].err,
						  cases[i].populate,
						  cases[i].bound),
				 cases[i].reason);
		ck_assert_int_eq(hp_ladder_reason(-cases[i].err,
						  cases[i].populate,
						  cases[i].bound),
				 cases[i].reason);
	}
}
END_TEST

START_TEST(every_reason_has_a_text_of_its_own)
{
	ck_assert_ptr_null(hp_reason_text(HP_REASON_NONE));
	ck_assert_ptr_null(hp_reason_text(HP_REASON_COUNT));
	ck_assert_ptr_null(hp_reason_text((enum hp_reason) - 1));
	for (int i = HP_REASON_NONE + 1; i < HP_REASON_COUNT; i++) {
		ck_assert_ptr_nonnull(hp_reason_text((enum hp_reason)i));
		for (int k = HP_REASON_NONE + 1; k < i; k++)
			ck_assert_str_ne(hp_reason_text((enum hp_reason)i),
					 hp_reason_text((enum hp_reason)k));
	}
	ck_assert_str_eq(hp_reason_text(HP_REASON_SPLIT), "split-by-program");
	ck_assert_str_eq(hp_reason_text(HP_REASON_NO_CONTIGUOUS),
			 "no-contiguous-memory");
}
END_TEST

static Suite *ladder_suite(void)
{
	Suite *suite = suite_create("ladder");
	TCase *tcase = tcase_create("ladder");

	tcase_add_checked_fixture(tcase, set_up, NULL);
	tcase_add_test(tcase, rungs_keep_the_order_of_the_option);
	tcase_add_test(tcase, sizes_the_machine_lacks_are_left_out);
	tcase_add_test(tcase, longest_option_fits);
	tcase_add_test(tcase, mode_off_leaves_no_rung);
	tcase_add_test(tcase, failed_rung_is_passed_over_for_a_while);
	tcase_add_test(tcase, rebuilt_ladder_forgets_failures);
	tcase_add_test(tcase, errno_tells_the_reason);
	tcase_add_test(tcase, every_reason_has_a_text_of_its_own);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(ladder_suite());
}
