/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "libhp/common.h"
#include "libhp/doctor/buddy.h"
#include "libhp/linux.h"
#include "tests/exam.h"
#include "tests/suite.h"

#define NODES "/sys/devices/system/node/node"
#define POOL "/hugepages/hugepages-2048kB/"

static void put_buddies(const char *text)
{
	fixture_open();
	fixture_write("/proc/buddyinfo", text);
}

START_TEST(buddies_of_a_slot_and_more_are_counted)
{
	struct hp_buddy b;

	put_buddies("Node 0, zone      DMA  1 0 0 0 0 0 0 0 0 1 3 \n"
		    "Node 1, zone   Normal  5 0 2 0 0 0 0 0 7 0 100 \n");
	ck_assert_int_eq(hp_buddy_read(4096, 2 * HP_MIB, &b), 0);
	ck_assert_uint_eq(b.slots, 1 + 2 * 3 + 2 * 100);
	ck_assert_uint_eq(b.free,
			  4096ULL * (6 + 2 * 4 + 7 * 256 + 512 + 103 * 1024));
	fixture_close();
}
END_TEST

START_TEST(no_block_as_large_as_a_slot_is_none)
{
	struct hp_buddy b;

	/* a 64K kernel: slots are blocks of order 13 */
	put_buddies("Node 0, zone   Normal  9 9 9 9 9 9 9 9 9 9 9 \n");
	ck_assert_int_eq(hp_buddy_read(65536, 512 * HP_MIB, &b), 0);
	ck_assert_uint_eq(b.slots, 0);
	fixture_close();
}
END_TEST

START_TEST(odd_buddies_are_an_error)
{
	struct hp_buddy b;

	put_buddies("");
	ck_assert_int_eq(hp_buddy_read(4096, 2 * HP_MIB, &b), -ENODATA);
	fixture_close();
	put_buddies("Node 0, zone Normal 1 2 x\n");
	ck_assert_int_eq(hp_buddy_read(4096, 2 * HP_MIB, &b), -EINVAL);
	fixture_close();
	put_buddies("something else\n");
	ck_assert_int_eq(hp_buddy_read(4096, 2 * HP_MIB, &b), -EINVAL);
	fixture_close();
}
END_TEST

START_TEST(fragmented_memory_limits_unless_it_could_be_had)
{
	put_buddies("Node 0, zone   Normal  900000 9 9 9 9 9 9 9 9 3 0 \n");
	read_machine();
	x.ps.pmd = 2 * HP_MIB;
	hp_exam_slots(&x);
	expect("memory.slots", HP_STATE_LIMITS, "3 in one piece");
	expect("memory.slots", HP_STATE_LIMITS, "small pieces");
	expect_fix("memory.slots", "echo 1 >/proc/sys/vm/compact_memory");
	hp_findings_clear(&x.found);
	x.trial.fault = HP_TRIAL_YES;
	hp_exam_slots(&x);
	expect("memory.slots", HP_STATE_OK, "3 in one piece");
	expect("memory.slots", HP_STATE_OK, "could make room");
	fixture_close();
}
END_TEST

START_TEST(a_small_part_in_one_piece_limits_though_it_is_many)
{
	put_buddies("Node 0, zone   Normal  4000000 9 9 9 9 9 9 9 9 90 99 \n");
	read_machine();
	x.ps.pmd = 2 * HP_MIB;
	x.trial.fault = HP_TRIAL_NO;
	hp_exam_slots(&x);
	expect("memory.slots", HP_STATE_LIMITS, "288 in one piece");
	fixture_close();
	put_buddies("Node 0, zone   Normal  9 9 9 9 9 9 9 9 9 90 99 \n");
	hp_findings_clear(&x.found);
	hp_exam_slots(&x);
	expect("memory.slots", HP_STATE_OK, "288 in one piece");
	fixture_close();
}
END_TEST

static uint64_t address_space(void)
{
	char text[128];
	uint64_t pages;

	ck_assert_int_gt(
		hp_textfile_read("/proc/self/statm", text, sizeof(text)), 0);
	ck_assert_int_eq(hp_text_u64(text, NULL, &pages), 0);
	return pages * hp_linux_page_size();
}

static void try_within(uint64_t room)
{
	struct rlimit old, limit;

	ck_assert_int_eq(getrlimit(RLIMIT_AS, &old), 0);
	limit = old;
	limit.rlim_cur = address_space() + room;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
	hp_trial_run(&x.ps, 32, &x.trial);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &old), 0);
}

START_TEST(the_trial_takes_what_a_limit_on_address_space_leaves)
{
	hp_textfile_root("");
	read_machine();
	try_within(6 * x.ps.pmd);
	ck_assert(x.trial.wanted == 4 || x.trial.skipped);
	try_within(0);
	ck_assert(x.trial.refused || x.trial.skipped);
	hp_exam_trial(&x);
	expect("thp.fault", HP_STATE_UNKNOWN, "not tried: ");
	expect("thp.collapse", HP_STATE_UNKNOWN, "not tried: ");
}
END_TEST

/* a pool of 2M pages as /sys tells it */
static void make_pool(uint64_t total, uint64_t free, enum hp_trial_result trial,
		      const char *pages)
{
	read_machine();
	x.ps.npools = 1;
	x.ps.pmd = 2 * HP_MIB;
	x.ps.pools[0] = (struct hp_pool){.size = 2 * HP_MIB,
					 .total = total,
					 .free = free,
					 .cgroup_free = HP_UNKNOWN};
	x.trial.hugetlb[0] = trial;
	ck_assert_int_eq(hp_options_set(&x.options, "PAGES", pages), 0);
}

static void pool(uint64_t total, uint64_t free, enum hp_trial_result trial,
		 const char *pages)
{
	make_pool(total, free, trial, pages);
	fixture_open();
	hp_exam_pools(&x);
	fixture_close();
}

/* a gigabyte more, or an eighth of a smaller machine */
static void expect_more_pages(size_t used)
{
	size_t bytes = hp_min(HP_GIB, hp_linux_ram() / 8);
	char command[128];

	snprintf(command, sizeof(command),
		 "echo %zu >/sys/kernel/mm/hugepages/hugepages-2048kB/"
		 "nr_hugepages",
		 used + hp_max(bytes / (2 * HP_MIB), 1));
	expect_fix("hugetlb.2M", command);
}

START_TEST(an_empty_pool_limits_who_wants_it)
{
	pool(0, 0, HP_TRIAL_NO, "thp");
	expect("hugetlb.2M", HP_STATE_OK, "no pages");
	pool(0, 0, HP_TRIAL_NO, "2M,thp");
	expect("hugetlb.2M", HP_STATE_LIMITS, "none is free");
	expect_more_pages(0);
	pool(8, 0, HP_TRIAL_NO, "2M,thp");
	expect("hugetlb.2M", HP_STATE_LIMITS, "8 pages, 0 free");
	expect_more_pages(8);
	pool(8, 8, HP_TRIAL_YES, "2M,thp");
	expect("hugetlb.2M", HP_STATE_OK, "can be had");
}
END_TEST

START_TEST(free_pages_that_are_refused_limit)
{
	pool(8, 8, HP_TRIAL_NO, "2M");
	expect("hugetlb.2M", HP_STATE_LIMITS, "refused");
	ck_assert_int_eq(hp_exam_verdict(&x), HP_VERDICT_CANNOT);
}
END_TEST

/* three nodes, of which the last has no such pages */
START_TEST(pages_are_told_by_node_where_they_are_known)
{
	fixture_open();
	for (int i = 0; i < 3; i++) {
		char path[64];

		snprintf(path, sizeof(path), NODES "%d/cpulist", i);
		fixture_write(path, "\n");
	}
	fixture_write(NODES "0" POOL "nr_hugepages", "5\n");
	fixture_write(NODES "0" POOL "free_hugepages", "3\n");
	fixture_write(NODES "1" POOL "nr_hugepages", "3\n");
	fixture_write(NODES "1" POOL "free_hugepages", "0\n");
	make_pool(8, 3, HP_TRIAL_YES, "2M,thp");
	hp_exam_pools(&x);
	expect("hugetlb.2M", HP_STATE_OK, "node0 3 of 5 free");
	expect("hugetlb.2M", HP_STATE_OK, "node1 0 of 3 free");
	ck_assert_ptr_null(strstr(found("hugetlb.2M")->value, "node2"));
	fixture_close();
}
END_TEST

START_TEST(overcommit_that_gave_none_is_not_a_refusal)
{
	make_pool(0, 0, HP_TRIAL_NO, "2M");
	x.ps.pools[0].overcommit = 4;
	fixture_open();
	hp_exam_pools(&x);
	fixture_close();
	expect("hugetlb.2M", HP_STATE_LIMITS,
	       "none was had though nr_overcommit");
}
END_TEST

START_TEST(a_size_the_machine_lacks_limits)
{
	pool(8, 8, HP_TRIAL_YES, "64K,2M");
	expect("hugetlb.missing", HP_STATE_LIMITS, "64K");
	ck_assert_int_eq(hp_exam_verdict(&x), HP_VERDICT_LIMITED);
}
END_TEST

START_TEST(limits_of_control_groups_are_found)
{
	use("x86-64");
	ck_assert_int_eq(hp_options_set(&x.options, "PAGES", "2M"), 0);
	hp_exam_cgroups(&x);
	expect("cgroup.memory", HP_STATE_UNKNOWN, "limit 8.0 GiB");
	use("gvisor");
	hp_exam_cgroups(&x);
	ck_assert_int_eq(found("cgroup.memory")->state, HP_STATE_UNKNOWN);
}
END_TEST

START_TEST(full_memory_groups_limit)
{
	fixture_open();
	fixture_write("/proc/self/cgroup", "0::/job\n");
	fixture_write("/proc/self/mountinfo",
		      "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n");
	fixture_write("/sys/fs/cgroup/job/cgroup.procs", "1\n");
	fixture_write("/sys/fs/cgroup/job/memory.max", "104857600\n");
	fixture_write("/sys/fs/cgroup/job/memory.current", "94371840\n");
	read_machine();
	x.ps.pmd = 2 * HP_MIB;
	hp_exam_cgroups(&x);
	expect("cgroup.memory", HP_STATE_LIMITS, "room 10.0 MiB");
	expect_fix("cgroup.memory",
		   "echo max >'/sys/fs/cgroup/job/memory.max'");
	expect("cgroup.hugetlb", HP_STATE_OK, "no limit");
	fixture_close();
}
END_TEST

static Suite *exam_memory_suite(void)
{
	Suite *suite = suite_create("exam_memory");
	TCase *tcase = tcase_create("findings");

	tcase_add_test(tcase, buddies_of_a_slot_and_more_are_counted);
	tcase_add_test(tcase, no_block_as_large_as_a_slot_is_none);
	tcase_add_test(tcase, odd_buddies_are_an_error);
	tcase_add_test(tcase, fragmented_memory_limits_unless_it_could_be_had);
	tcase_add_test(tcase,
		       a_small_part_in_one_piece_limits_though_it_is_many);
	tcase_add_test(tcase,
		       the_trial_takes_what_a_limit_on_address_space_leaves);
	tcase_add_test(tcase, an_empty_pool_limits_who_wants_it);
	tcase_add_test(tcase, free_pages_that_are_refused_limit);
	tcase_add_test(tcase, pages_are_told_by_node_where_they_are_known);
	tcase_add_test(tcase, overcommit_that_gave_none_is_not_a_refusal);
	tcase_add_test(tcase, a_size_the_machine_lacks_limits);
	tcase_add_test(tcase, limits_of_control_groups_are_found);
	tcase_add_test(tcase, full_memory_groups_limit);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(exam_memory_suite());
}
