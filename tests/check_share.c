/* SPDX-License-Identifier: MIT */
#include "libhp/pagesize.h"
#include "libhp/share.h"
#include "tests/fixture.h"
#include "tests/suite.h"

#define LIMIT (72 * HP_MIB) /* 64 MiB beside code, stacks and tables */

static struct hp_start start;

/* anonymous memory of the group and of this process, the names in the group */
static void machine(const char *anon, const char *pages, const char *procs)
{
	fixture_write("/proc/self/cgroup", "0::/g\n");
	fixture_write("/proc/self/mountinfo",
		      "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw\n");
	fixture_write("/cg/memory.max", "max\n");
	fixture_write("/cg/g/memory.max", "75497472\n");
	fixture_write("/cg/g/memory.stat", anon);
	fixture_write("/cg/g/cgroup.procs", procs);
	fixture_write("/proc/self/comm", "worker\n");
	fixture_write("/proc/self/statm", pages);
	fixture_write("/proc/11/comm", "worker\n");
	fixture_write("/proc/12/comm", "worker\n");
	fixture_write("/proc/13/comm", "other\n");
}

static void setup(void)
{
	fixture_open();
	machine("anon 0\nfile 60000000\n", "9 0 0 0 0 0 0\n", "11\n13\n");
	start = (struct hp_start){0};
	hp_share_init(&start, LIMIT);
}

START_TEST(without_a_limit_everything_is_affordable)
{
	start = (struct hp_start){0};
	hp_share_init(&start, HP_UNKNOWN);
	ck_assert(hp_share_affords(&start, HP_GIB));
}
END_TEST

START_TEST(three_quarters_are_the_most_for_one)
{
	ck_assert(!hp_share_affords(&start, 49 * HP_MIB));
	ck_assert(hp_share_affords(&start, 48 * HP_MIB));
}
END_TEST

START_TEST(workers_of_one_name_divide_what_is_left)
{
	machine("anon 0\n", "9 0 0 0 0 0 0\n", "11\n12\n13\n");
	ck_assert(!hp_share_affords(&start, 17 * HP_MIB));
	ck_assert(hp_share_affords(&start, 16 * HP_MIB));
}
END_TEST

START_TEST(what_others_have_filled_is_gone)
{
	machine("anon 50331648\n", "9 0 0 0 0 0 0\n", "11\n");
	ck_assert(!hp_share_affords(&start, 13 * HP_MIB));
	ck_assert(hp_share_affords(&start, 12 * HP_MIB));
}
END_TEST

START_TEST(what_may_still_be_filled_counts)
{
	start.slots = 30 * HP_MIB;
	ck_assert(!hp_share_affords(&start, 20 * HP_MIB));
	/* all of it is resident: it is in what the group has used */
	machine("anon 33554432\n", "9000 8000 0 0 0 0 0\n", "11\n");
	ck_assert(hp_share_affords(&start, 12 * HP_MIB));
}
END_TEST

START_TEST(what_was_granted_is_used_up_without_asking)
{
	ck_assert(hp_share_affords(&start, 20 * HP_MIB));
	fixture_write("/cg/g/memory.stat", "anon 67108864\n");
	ck_assert(hp_share_affords(&start, 20 * HP_MIB));
	ck_assert(!hp_share_affords(&start, 20 * HP_MIB));
}
END_TEST

START_TEST(child_is_granted_nothing_of_its_parent)
{
	ck_assert(hp_share_affords(&start, 20 * HP_MIB));
	fixture_write("/cg/g/memory.stat", "anon 67108864\n");
	hp_share_forked();
	ck_assert(!hp_share_affords(&start, 2 * HP_MIB));
}
END_TEST

START_TEST(without_its_files_the_limit_alone_bounds)
{
	fixture_close();
	fixture_open();
	ck_assert(hp_share_affords(&start, 48 * HP_MIB));
	ck_assert(!hp_share_affords(&start, 49 * HP_MIB));
}
END_TEST

static Suite *share_suite(void)
{
	Suite *suite = suite_create("share");
	TCase *tcase = tcase_create("core");

	tcase_add_checked_fixture(tcase, setup, fixture_close);
	tcase_add_test(tcase, without_a_limit_everything_is_affordable);
	tcase_add_test(tcase, three_quarters_are_the_most_for_one);
	tcase_add_test(tcase, workers_of_one_name_divide_what_is_left);
	tcase_add_test(tcase, what_others_have_filled_is_gone);
	tcase_add_test(tcase, what_may_still_be_filled_counts);
	tcase_add_test(tcase, what_was_granted_is_used_up_without_asking);
	tcase_add_test(tcase, child_is_granted_nothing_of_its_parent);
	tcase_add_test(tcase, without_its_files_the_limit_alone_bounds);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(share_suite());
}
