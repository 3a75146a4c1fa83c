/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/pagesize.h"
#include "tests/suite.h"
#include "tests/tree.h"

static struct hp_pagesizes ps;

/* a fact no tree tells must come from the code, not from what was there */
static void read_tree(const char *tree, size_t base)
{
	memset(&ps, 0xa5, sizeof(ps));
	use_fixture(tree);
	hp_pagesizes_read_as(&ps, base);
}

static struct hp_pool *pool(size_t size)
{
	struct hp_pool *found = hp_pagesizes_pool(&ps, size);

	ck_assert_ptr_nonnull(found);
	return found;
}

START_TEST(reads_thp_settings_of_x86_64)
{
	read_tree("x86-64", 4096);
	ck_assert_uint_eq(ps.base, 4096);
	ck_assert_uint_eq(ps.pmd, 2097152);
	ck_assert(ps.pmd_known);
	ck_assert_int_eq(ps.thp, HP_THP_MADVISE);
	ck_assert_int_eq(ps.thp_pmd, HP_THP_INHERIT);
}
END_TEST

START_TEST(smaller_thp_sizes_are_listed_largest_first)
{
	static const struct hp_mthp want[] = {
		{1048576, HP_THP_NEVER},
		{65536, HP_THP_ALWAYS},
		{16384, HP_THP_MADVISE},
	};

	read_tree("x86-64", 4096);
	ck_assert_uint_eq(ps.nmthp, HP_ARRAY_SIZE(want));
	for (size_t i = 0; i < HP_ARRAY_SIZE(want); i++) {
		ck_assert_uint_eq(ps.mthp[i].size, want[i].size);
		ck_assert_int_eq(ps.mthp[i].mode, want[i].mode);
	}
}
END_TEST

START_TEST(pools_are_listed_largest_first_with_their_counts)
{
	read_tree("x86-64", 4096);
	ck_assert_uint_eq(ps.npools, 2);
	ck_assert_uint_eq(ps.pools[0].size, 1073741824);
	ck_assert_uint_eq(ps.pools[0].total, 4);
	ck_assert_uint_eq(ps.pools[1].size, 2097152);
	ck_assert_uint_eq(ps.pools[1].total, 512);
	ck_assert_uint_eq(ps.pools[1].free, 300);
	ck_assert_uint_eq(ps.pools[1].reserved, 100);
	ck_assert_uint_eq(ps.pools[1].surplus, 12);
	ck_assert_uint_eq(ps.pools[1].overcommit, 16);
	ck_assert_ptr_null(hp_pagesizes_pool(&ps, 4194304));
}
END_TEST

START_TEST(tightest_limit_of_group_and_ancestors_counts)
{
	read_tree("x86-64", 4096);
	/* the parent's rsvd limit, less what it has reserved */
	ck_assert_uint_eq(pool(2097152)->cgroup_free, 188743680 - 83886080);
	/* the group's own rsvd limit is 0: known, and nothing left */
	ck_assert_uint_eq(pool(1073741824)->cgroup_free, 0);
	ck_assert_uint_eq(ps.memcg_limit, 8589934592);
}
END_TEST

START_TEST(all_sizes_of_arm64_are_found)
{
	static const size_t sizes[] = {1073741824, 33554432, 2097152, 65536};

	read_tree("arm64-4k", 4096);
	ck_assert_uint_eq(ps.pmd, 2097152);
	ck_assert_int_eq(ps.thp, HP_THP_ALWAYS);
	ck_assert_uint_eq(ps.npools, HP_ARRAY_SIZE(sizes));
	for (size_t i = 0; i < HP_ARRAY_SIZE(sizes); i++)
		ck_assert_uint_eq(ps.pools[i].size, sizes[i]);
	ck_assert_uint_eq(pool(33554432)->free, 1);
	/* no control group in sight: not known, not unlimited, not 0 */
	ck_assert_uint_eq(ps.pools[0].cgroup_free, HP_UNKNOWN);
	ck_assert_uint_eq(ps.memcg_limit, HP_UNKNOWN);
}
END_TEST

START_TEST(slot_of_a_16k_kernel_is_32_mib)
{
	read_tree("arm64-16k", 16384);
	ck_assert_uint_eq(ps.pmd, 33554432);
	ck_assert(ps.pmd_known);
	ck_assert_int_eq(ps.thp_pmd, HP_THP_INHERIT);
	ck_assert_uint_eq(ps.nmthp, 1);
	ck_assert_uint_eq(ps.mthp[0].size, 2097152);
}
END_TEST

START_TEST(slot_of_a_64k_kernel_is_derived_where_not_told)
{
	read_tree("arm64-64k", 65536);
	ck_assert_uint_eq(ps.pmd, 536870912);
	ck_assert(!ps.pmd_known);
	ck_assert_int_eq(ps.thp, HP_THP_MADVISE);
	/* older than settings per size */
	ck_assert_int_eq(ps.thp_pmd, HP_THP_INHERIT);
	ck_assert_uint_eq(ps.nmthp, 0);
	ck_assert_uint_eq(ps.npools, 3);
	ck_assert_uint_eq(pool(17179869184)->total, 0);
	ck_assert_uint_eq(pool(536870912)->free, 2);
}
END_TEST

START_TEST(without_sysfs_all_is_unknown_and_nothing_breaks)
{
	static const char *const trees[] = {"gvisor", "no-such-tree"};

	for (size_t i = 0; i < HP_ARRAY_SIZE(trees); i++) {
		read_tree(trees[i], 4096);
		ck_assert_uint_eq(ps.pmd, 2097152);
		ck_assert(!ps.pmd_known);
		ck_assert_int_eq(ps.thp, HP_THP_UNKNOWN);
		ck_assert_int_eq(ps.thp_pmd, HP_THP_INHERIT);
		ck_assert_uint_eq(ps.npools, 0);
		ck_assert_uint_eq(ps.nmthp, 0);
		ck_assert_uint_eq(ps.memcg_limit, HP_UNKNOWN);
	}
}
END_TEST

START_TEST(masked_sysfs_leaves_the_default_pool_of_meminfo)
{
	read_tree("masked-sys", 4096);
	ck_assert_uint_eq(ps.npools, 1);
	ck_assert_uint_eq(ps.pools[0].size, 2097152);
	ck_assert_uint_eq(ps.pools[0].total, 64);
	ck_assert_uint_eq(ps.pools[0].free, 60);
	ck_assert_uint_eq(ps.pools[0].reserved, 2);
	ck_assert_uint_eq(ps.pools[0].surplus, 0);
	ck_assert_uint_eq(ps.pools[0].overcommit, HP_UNKNOWN);
	ck_assert_uint_eq(ps.pools[0].cgroup_free, HP_UNKNOWN);
}
END_TEST

START_TEST(malformed_files_are_unknown_not_zero)
{
	read_tree("malformed", 4096);
	ck_assert_uint_eq(ps.pmd, 2097152);
	ck_assert(!ps.pmd_known);
	ck_assert_int_eq(ps.thp, HP_THP_UNKNOWN);
	ck_assert_int_eq(ps.thp_pmd, HP_THP_UNKNOWN);
	ck_assert_uint_eq(ps.nmthp, 1);
	ck_assert_int_eq(ps.mthp[0].mode, HP_THP_UNKNOWN);
	/* names that are no sizes are no pools */
	ck_assert_uint_eq(ps.npools, 2);
	for (unsigned int i = 0; i < ps.npools; i++) {
		ck_assert_uint_eq(ps.pools[i].total, HP_UNKNOWN);
		ck_assert_uint_eq(ps.pools[i].free, HP_UNKNOWN);
		ck_assert_uint_eq(ps.pools[i].reserved, HP_UNKNOWN);
		ck_assert_uint_eq(ps.pools[i].surplus, HP_UNKNOWN);
		ck_assert_uint_eq(ps.pools[i].overcommit, HP_UNKNOWN);
	}
	ck_assert_uint_eq(ps.memcg_limit, HP_UNKNOWN);
}
END_TEST

START_TEST(impossible_slot_sizes_are_derived_instead)
{
	static const char *const trees[] = {
		"pmd-empty", "pmd-abc",	 "pmd-zero", "pmd-digits30",
		"pmd-odd",   "pmd-tiny", "pmd-vast",
	};

	read_tree(trees[_i], 4096);
	ck_assert_uint_eq(ps.pmd, 2097152);
	ck_assert(!ps.pmd_known);
}
END_TEST

START_TEST(v1_limits_are_read_where_the_container_sees_them)
{
	read_tree("cgroup-v1", 4096);
	/* no fault limit; the rsvd limit, less what is reserved */
	ck_assert_uint_eq(pool(2097152)->cgroup_free, 67108864 - 4194304);
	/* its mount point has a blank in its name */
	ck_assert_uint_eq(ps.memcg_limit, 1073741824);
	/* numbers that v1 writes where there is no limit */
	ck_assert_uint_eq(pool(1073741824)->cgroup_free, HP_UNKNOWN);
}
END_TEST

START_TEST(pool_is_read_anew_or_left_alone)
{
	struct hp_pool one = {.size = 2097152}, none = {.size = 4194304};

	use_fixture("x86-64");
	ck_assert_int_eq(hp_pool_read(&one), 0);
	ck_assert_uint_eq(one.free, 300);
	ck_assert_uint_eq(one.cgroup_free, 104857600);
	none.free = 5;
	ck_assert_int_eq(hp_pool_read(&none), -ENOENT);
	ck_assert_uint_eq(none.free, 5);
	use_fixture("malformed");
	ck_assert_int_eq(hp_pool_read(&one), -ERANGE);
	ck_assert_uint_eq(one.free, 300);
	use_fixture("masked-sys");
	ck_assert_int_eq(hp_pool_read(&one), 0);
	ck_assert_uint_eq(one.free, 60);
	ck_assert_int_eq(hp_pool_read(&none), -ENOENT);
}
END_TEST

START_TEST(setting_of_the_size_decides_about_thp)
{
	static const struct {
		enum hp_thp_mode thp, pmd;
		int prctl;
		enum hp_reason reason;
	} cases[] = {
		{HP_THP_ALWAYS, HP_THP_INHERIT, 0, HP_REASON_NONE},
		{HP_THP_MADVISE, HP_THP_INHERIT, 0, HP_REASON_NONE},
		{HP_THP_NEVER, HP_THP_INHERIT, 0, HP_REASON_SYSFS_NEVER},
		{HP_THP_NEVER, HP_THP_ALWAYS, 0, HP_REASON_NONE},
		{HP_THP_NEVER, HP_THP_MADVISE, 0, HP_REASON_NONE},
		{HP_THP_ALWAYS, HP_THP_NEVER, 0, HP_REASON_SIZE_DISABLED},
		{HP_THP_UNKNOWN, HP_THP_INHERIT, 0, HP_REASON_NONE},
		{HP_THP_UNKNOWN, HP_THP_UNKNOWN, -EPERM, HP_REASON_NONE},
		{HP_THP_ALWAYS, HP_THP_INHERIT, 1, HP_REASON_PRCTL},
		{HP_THP_NEVER, HP_THP_NEVER, 1, HP_REASON_PRCTL},
		{HP_THP_ALWAYS, HP_THP_INHERIT, 3, HP_REASON_NONE},
	};

	for (size_t i = 0; i < HP_ARRAY_SIZE(cases); i++) {
		ps.thp = cases[i].thp;
		ps.thp_pmd = cases[i].pmd;
		ps.prctl = cases[i].prctl;
		ck_assert_int_eq(hp_pagesizes_thp_reason(&ps), cases[i].reason);
	}
}
END_TEST

START_TEST(this_machine_is_consistent)
{
	struct hp_pagesizes thp;

	use_machine();
	hp_pagesizes_read(&ps);
	hp_pagesizes_read_thp(&thp);
	ck_assert_uint_eq(ps.base, (size_t)getpagesize());
	ck_assert(hp_is_pow2(ps.pmd));
	ck_assert_uint_gt(ps.pmd, ps.base);
	ck_assert_uint_eq(thp.pmd, ps.pmd);
	ck_assert_int_eq(thp.thp, ps.thp);
	ck_assert_int_eq(thp.thp_pmd, ps.thp_pmd);
	ck_assert_int_eq(thp.prctl, ps.prctl);
	ck_assert_uint_eq(thp.npools, 0);
	ck_assert_uint_eq(thp.memcg_limit, HP_UNKNOWN);
	for (unsigned int i = 0; i < ps.npools; i++) {
		ck_assert(hp_is_pow2(ps.pools[i].size));
		ck_assert(i == 0 || ps.pools[i].size < ps.pools[i - 1].size);
	}
}
END_TEST

static void add_kernel_tests(TCase *tcase)
{
	tcase_add_test(tcase, reads_thp_settings_of_x86_64);
	tcase_add_test(tcase, smaller_thp_sizes_are_listed_largest_first);
	tcase_add_test(tcase, pools_are_listed_largest_first_with_their_counts);
	tcase_add_test(tcase, tightest_limit_of_group_and_ancestors_counts);
	tcase_add_test(tcase, v1_limits_are_read_where_the_container_sees_them);
	tcase_add_test(tcase, all_sizes_of_arm64_are_found);
	tcase_add_test(tcase, slot_of_a_16k_kernel_is_32_mib);
	tcase_add_test(tcase, slot_of_a_64k_kernel_is_derived_where_not_told);
	tcase_add_test(tcase, pool_is_read_anew_or_left_alone);
	tcase_add_test(tcase, setting_of_the_size_decides_about_thp);
	tcase_add_test(tcase, this_machine_is_consistent);
}

static void add_trouble_tests(TCase *tcase)
{
	tcase_add_test(tcase, without_sysfs_all_is_unknown_and_nothing_breaks);
	tcase_add_test(tcase, masked_sysfs_leaves_the_default_pool_of_meminfo);
	tcase_add_test(tcase, malformed_files_are_unknown_not_zero);
	tcase_add_loop_test(tcase, impossible_slot_sizes_are_derived_instead, 0,
			    7);
}

int main(void)
{
	Suite *suite = suite_create("pagesize");
	TCase *tcase = tcase_create("pagesize");

	add_kernel_tests(tcase);
	add_trouble_tests(tcase);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
