/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/cgroup.h"
#include "tests/suite.h"
#include "tests/tree.h"

static struct hp_cgroup group;

static void find(const char *tree, const char *controller)
{
	memset(&group, 0xa5, sizeof(group));
	use_fixture(tree);
	ck_assert_int_eq(hp_cgroup_find(&group, controller), 0);
}

static uint64_t room(const char *limit, const char *usage)
{
	return hp_cgroup_room(&group, limit, usage);
}

START_TEST(v2_group_is_found_below_its_mount)
{
	find("x86-64", "memory");
	ck_assert(group.v2);
	ck_assert_str_eq(group.dir, "/sys/fs/cgroup/user.slice/job.scope");
	ck_assert_uint_eq(group.nroot, strlen("/sys/fs/cgroup"));
}
END_TEST

START_TEST(v1_group_of_a_container_is_its_mount)
{
	find("cgroup-v1", "memory");
	ck_assert(!group.v2);
	/* mountinfo has the blank as \040 */
	ck_assert_str_eq(group.dir, "/sys/fs/cgroup/memory all");
	find("cgroup-v1", "cpuacct");
	ck_assert_str_eq(group.dir, "/sys/fs/cgroup/cpu,cpuacct");
}
END_TEST

START_TEST(v1_has_the_controller_or_v2_may)
{
	find("cgroup-hybrid", "memory");
	ck_assert(!group.v2);
	ck_assert_str_eq(group.dir, "/sys/fs/cgroup/memory/a/b");
	find("cgroup-hybrid", "hugetlb");
	ck_assert(group.v2);
	ck_assert_str_eq(group.dir, "/sys/fs/cgroup/unified");
}
END_TEST

START_TEST(limit_of_an_ancestor_counts)
{
	find("cgroup-hybrid", "memory");
	ck_assert_uint_eq(room("memory.limit_in_bytes", NULL), 268435456);
	find("x86-64", "memory");
	ck_assert_uint_eq(room("memory.max", NULL), 8589934592);
}
END_TEST

START_TEST(room_is_what_is_left_of_the_limit)
{
	find("cgroup-hybrid", "hugetlb");
	ck_assert_uint_eq(room("hugetlb.2MB.max", "hugetlb.2MB.current"),
			  6291456);
	/* a limit that was set below what is used already */
	ck_assert_uint_eq(room("hugetlb.1GB.max", "hugetlb.1GB.current"), 0);
}
END_TEST

START_TEST(no_limit_is_not_a_number)
{
	find("x86-64", "hugetlb");
	ck_assert_uint_eq(room("hugetlb.1GB.max", "hugetlb.1GB.current"),
			  HP_CGROUP_UNKNOWN);
	find("cgroup-v1", "hugetlb");
	ck_assert_uint_eq(room("hugetlb.2MB.limit_in_bytes", NULL),
			  HP_CGROUP_UNKNOWN);
}
END_TEST

START_TEST(limit_without_its_usage_is_not_known)
{
	find("x86-64", "memory");
	ck_assert_uint_eq(room("memory.max", "memory.current"),
			  HP_CGROUP_UNKNOWN);
	ck_assert_uint_eq(room("no.such.file", NULL), HP_CGROUP_UNKNOWN);
}
END_TEST

START_TEST(group_outside_of_the_mount_has_the_limit_of_the_mount)
{
	find("cgroup-outside", "memory");
	ck_assert_uint_eq(room("memory.max", NULL), 77777777);
}
END_TEST

START_TEST(group_and_mount_may_both_be_relative)
{
	find("cgroup-relative", "memory");
	ck_assert_uint_eq(room("memory.max", NULL), 66666666);
}
END_TEST

START_TEST(mount_line_longer_than_any_buffer_hides_nothing)
{
	find("long-line", "memory");
	ck_assert_uint_eq(room("memory.max", NULL), 123456789);
}
END_TEST

START_TEST(absent_and_malformed_files_find_nothing)
{
	use_fixture("no-such-tree");
	ck_assert_int_eq(hp_cgroup_find(&group, "memory"), -ENOENT);
	use_fixture("gvisor"); /* a group, but nowhere mounted */
	ck_assert_int_eq(hp_cgroup_find(&group, "memory"), -ENOENT);
	find("malformed", "memory");
	ck_assert_str_eq(group.dir, "/sys/fs/cgroup/group");
	ck_assert_uint_eq(room("memory.max", NULL), HP_CGROUP_UNKNOWN);
}
END_TEST

static Suite *cgroup_suite(void)
{
	Suite *suite = suite_create("cgroup");
	TCase *tcase = tcase_create("cgroup");

	tcase_add_test(tcase, v2_group_is_found_below_its_mount);
	tcase_add_test(tcase, v1_group_of_a_container_is_its_mount);
	tcase_add_test(tcase, v1_has_the_controller_or_v2_may);
	tcase_add_test(tcase, limit_of_an_ancestor_counts);
	tcase_add_test(tcase, room_is_what_is_left_of_the_limit);
	tcase_add_test(tcase, no_limit_is_not_a_number);
	tcase_add_test(tcase, limit_without_its_usage_is_not_known);
	tcase_add_test(tcase,
		       group_outside_of_the_mount_has_the_limit_of_the_mount);
	tcase_add_test(tcase, group_and_mount_may_both_be_relative);
	tcase_add_test(tcase, mount_line_longer_than_any_buffer_hides_nothing);
	tcase_add_test(tcase, absent_and_malformed_files_find_nothing);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(cgroup_suite());
}
