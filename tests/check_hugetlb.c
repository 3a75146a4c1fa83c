/* SPDX-License-Identifier: MIT */
/*
 * check_hugetlb.c - backing, regions and statistics on a real pool
 *
 * A system test: it sets the size of the pool, and puts it back.
 */
#include "tests/pool.h"

#include <sys/wait.h>

#include "libhp/backing.h"
#include "libhp/stats.h"
#include "tests/old_kernel.h"

#define POOL 8 /* slots */

static char *map_pool_pages(size_t n)
{
	char *p = mmap(NULL, n * hp_slot_size(), PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
			       (int)(hp_log2(hp_slot_size()) << MAP_HUGE_SHIFT),
		       -1, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	return p;
}

static void expect(const char *p, size_t slots, size_t there)
{
	struct hp_backing b;

	ck_assert_int_eq(hp_backing_query(p, slots * hp_slot_size(), &b), 0);
	ck_assert_uint_eq(b.present, there * hp_slot_size());
	ck_assert_uint_eq(b.huge, there * hp_slot_size());
	ck_assert_uint_eq(b.hugetlb, there * hp_slot_size());
	ck_assert_uint_eq(b.unknown, 0);
}

static void expect_pool_whole(void)
{
	ck_assert_uint_eq(pool_count("free_hugepages"), POOL);
	ck_assert_uint_eq(pool_count("resv_hugepages"), 0);
}

START_TEST(private_pages_count_once_touched)
{
	char *p = map_pool_pages(4);

	expect(p, 4, 0);
	p[0] = p[2 * hp_slot_size()] = 1;
	expect(p, 4, 2);
	expect(p + 100, 1, 1);
}
END_TEST

START_TEST(private_pages_count_in_parent_and_child)
{
	char *p = map_pool_pages(2);
	pid_t child;
	int status;

	memset(p, 1, 2 * hp_slot_size());
	child = fork();
	if (child == 0) {
		struct hp_backing b;
		bool same;

		hp_backing_query(p, 2 * hp_slot_size(), &b);
		same = b.hugetlb == 2 * hp_slot_size();
		p[0] = 2; /* a copy out of the pool */
		hp_backing_query(p, 2 * hp_slot_size(), &b);
		_exit(same && b.hugetlb == 2 * hp_slot_size() ? 0 : 1);
	}
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
	expect(p, 2, 2);
}
END_TEST

START_TEST(shared_pages_of_a_memfd_count)
{
	size_t len = 3 * hp_slot_size();
	int fd =
		memfd_create("libhp-test",
			     MFD_HUGETLB | (unsigned int)hp_log2(hp_slot_size())
						   << MAP_HUGE_SHIFT);
	char *p;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, (off_t)len), 0);
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(p, MAP_FAILED);
	p[hp_slot_size()] = 1;
	expect(p, 3, 1);
}
END_TEST

/* beside each other, as in a heap whose pool ran out */
START_TEST(pool_and_thp_are_told_apart)
{
	size_t slot = hp_slot_size();
	struct hp_backing b;
	char *p = huge_slots(2), *q;

	q = mmap(p, slot, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB |
			 (int)(hp_log2(slot) << MAP_HUGE_SHIFT),
		 -1, 0);
	ck_assert_ptr_eq(p, q);
	memset(p, 1, slot);
	ck_assert_int_eq(hp_backing_query(p, 2 * slot, &b), 0);
	ck_assert_uint_eq(b.huge, 2 * slot);
	ck_assert_uint_eq(b.hugetlb, slot);
}
END_TEST

START_TEST(guest_blocks_may_be_pool_pages)
{
	char *p = map_pool_pages(3);

	p[hp_slot_size()] = 1;
	ck_assert_int_eq(hp_guest_blocks(p, 0, 3 * hp_slot_size()), 1);
}
END_TEST

START_TEST(process_counts_the_pool_in_both)
{
	struct hp_process_backing before, after;
	char *p = map_pool_pages(4);

	ck_assert_int_eq(hp_process_query(0, &before), 0);
	memset(p, 1, 4 * hp_slot_size());
	ck_assert_int_eq(hp_process_query(0, &after), 0);
	ck_assert_uint_eq(after.hugetlb - before.hugetlb, 4 * hp_slot_size());
	ck_assert_uint_ge(after.present - before.present, 4 * hp_slot_size());
}
END_TEST

static struct hp_region *open_region(size_t slots, unsigned int flags,
				     bool thp_too)
{
	const size_t ladder[] = {hp_slot_size(), HP_THP};
	struct hp_region_want want = {
		.ladder = ladder,
		.nladder = thp_too ? 2 : 1,
		.flags = flags,
	};
	struct hp_region *r = NULL;
	int ret = hp_region_open(&r, slots * hp_slot_size(), &want);

	ck_assert(ret == 0 || ret == -ENOMEM);
	ck_assert(ret == 0 || r == NULL);
	return r;
}

START_TEST(region_is_populated_from_the_pool)
{
	struct hp_region *r = open_region(5, 0, true);

	expect(hp_region_addr(r), 5, 5);
	ck_assert_uint_eq(pool_count("free_hugepages"), POOL - 5);
	hp_region_close(r);
	expect_pool_whole();
}
END_TEST

START_TEST(falls_back_slot_by_slot_when_the_pool_is_empty)
{
	size_t slot = hp_slot_size();
	struct hp_region *r = open_region(POOL + 4, HP_REGION_PREFAULT, true);
	char *p = hp_region_addr(r);
	struct hp_backing b;

	expect(p, POOL, POOL);
	ck_assert_int_eq(hp_backing_query(p, (POOL + 4) * slot, &b), 0);
	ck_assert_uint_eq(b.hugetlb, POOL * slot);
	ck_assert_uint_eq(b.present, (POOL + 4) * slot);
	ck_assert_int_eq(hp_region_reason(r, POOL - 1), HP_REASON_NONE);
	ck_assert_int_eq(hp_region_reason(r, POOL), HP_REASON_POOL_EMPTY);
	memset(p, 1, (POOL + 4) * slot);
	hp_region_close(r);
	expect_pool_whole();
}
END_TEST

/* what the pool must never do is kill: nothing here may raise SIGBUS */
START_TEST(two_regions_share_a_short_pool)
{
	struct hp_region *a = open_region(6, 0, true);
	struct hp_region *b = open_region(6, 0, true);

	memset(hp_region_addr(a), 1, hp_region_len(a));
	memset(hp_region_addr(b), 1, hp_region_len(b));
	expect(hp_region_addr(a), 6, 6);
	expect(hp_region_addr(b), 2, 2);
	ck_assert_int_eq(hp_region_reason(b, 2), HP_REASON_POOL_EMPTY);
	hp_region_close(a);
	hp_region_close(b);
	expect_pool_whole();
}
END_TEST

START_TEST(strict_region_is_whole_or_refused)
{
	struct hp_region *r = open_region(POOL, HP_REGION_STRICT, false);

	expect(hp_region_addr(r), POOL, POOL);
	hp_region_close(r);
	ck_assert_ptr_null(open_region(POOL + 1, HP_REGION_STRICT, false));
	expect_pool_whole();
}
END_TEST

START_TEST(shared_region_is_of_one_kind)
{
	const unsigned int flags = HP_REGION_SHARED;
	struct hp_region *r = open_region(POOL, flags, true);

	expect(hp_region_addr(r), POOL, POOL);
	ck_assert_int_eq(hp_region_reason(r, 0), HP_REASON_NONE);
	hp_region_close(r);
	r = open_region(POOL + 1, flags, true);
	expect(hp_region_addr(r), 1, 0);
	ck_assert_int_eq(hp_region_reason(r, 0), HP_REASON_POOL_EMPTY);
	memset(hp_region_addr(r), 1, hp_region_len(r));
	hp_region_close(r);
	ck_assert_ptr_null(
		open_region(POOL + 1, flags | HP_REGION_STRICT, false));
	expect_pool_whole();
}
END_TEST

START_TEST(parent_of_a_fork_keeps_its_pages)
{
	struct hp_region *r = open_region(POOL, 0, false);
	char *p = hp_region_addr(r);
	int pipes[2], status;
	pid_t child;

	ck_assert_int_eq(pipe(pipes), 0);
	child = fork();
	if (child == 0) {
		char c;

		close(pipes[1]);
		_exit(read(pipes[0], &c, 1) == 0 ? 0 : 1);
	}
	/* no page is left for copies: the child loses its own */
	memset(p, 2, hp_region_len(r));
	close(pipes[1]);
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
	expect(p, POOL, POOL);
}
END_TEST

START_TEST(offset_leaves_the_first_slot_small)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	const size_t ladder[] = {slot};
	struct hp_region_want want = {
		.ladder = ladder,
		.nladder = 1,
		.offset = page,
	};
	struct hp_region *r;
	char *p;

	ck_assert_int_eq(hp_region_open(&r, 3 * slot, &want), 0);
	p = hp_region_addr(r);
	memset(p, 1, hp_region_len(r));
	expect(p + slot - page, 3, 3);
	ck_assert_int_eq(hp_region_reason(r, 0), HP_REASON_UNALIGNED);
	ck_assert_int_eq(hp_region_reason(r, 1), HP_REASON_NONE);
	hp_region_close(r);
	want.flags = HP_REGION_STRICT;
	ck_assert_int_eq(hp_region_open(&r, 3 * slot, &want), -EINVAL);
	expect_pool_whole();
}
END_TEST

START_TEST(statistics_know_regions)
{
	size_t slot = hp_slot_size();
	struct hp_region *r = open_region(POOL + 3, 0, false);
	struct hp_stats s;

	memset(hp_region_addr(r), 1, (POOL + 2) * slot);
	madvise((char *)hp_region_addr(r) + POOL * slot, 3 * slot,
		MADV_NOHUGEPAGE);
	ck_assert_int_eq(hp_stats_read(&s), 0);
	ck_assert_uint_eq(s.region.slots, POOL + 3);
	ck_assert_uint_ge(s.region.huge, POOL * slot);
	ck_assert_uint_eq(s.region.present, (POOL + 2) * slot);
	ck_assert_uint_eq(s.region.used, (POOL + 3) * slot);
	ck_assert_uint_eq(s.reasons[HP_REASON_NOT_TOUCHED], 1);
	if (s.region.huge == POOL * slot) /* not under THP always */
		ck_assert_uint_eq(s.reasons[HP_REASON_POOL_EMPTY], 2);
	ck_assert_uint_ge(hp_stats_events[HP_EVENT_FALLBACK], 1);
	hp_region_close(r);
	ck_assert_int_eq(hp_stats_read(&s), 0);
	ck_assert_uint_eq(s.region.slots, 0);
}
END_TEST

static TCase *backing_case(const char *name)
{
	TCase *tcase = tcase_create(name);

	tcase_add_test(tcase, private_pages_count_once_touched);
	tcase_add_test(tcase, private_pages_count_in_parent_and_child);
	tcase_add_test(tcase, shared_pages_of_a_memfd_count);
	if (have_collapse())
		tcase_add_test(tcase, pool_and_thp_are_told_apart);
	tcase_add_test(tcase, guest_blocks_may_be_pool_pages);
	tcase_add_test(tcase, process_counts_the_pool_in_both);
	return tcase;
}

static Suite *hugetlb_suite(void)
{
	Suite *suite = suite_create("hugetlb");
	TCase *tcase = backing_case("backing");

	suite_add_tcase(suite, tcase);
	tcase = backing_case("backing before Linux 6.7");
	tcase_add_checked_fixture(tcase, old_kernel, NULL);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("region");
	tcase_add_test(tcase, region_is_populated_from_the_pool);
	tcase_add_test(tcase, falls_back_slot_by_slot_when_the_pool_is_empty);
	tcase_add_test(tcase, two_regions_share_a_short_pool);
	tcase_add_test(tcase, strict_region_is_whole_or_refused);
	tcase_add_test(tcase, shared_region_is_of_one_kind);
	tcase_add_test(tcase, parent_of_a_fork_keeps_its_pages);
	tcase_add_test(tcase, offset_leaves_the_first_slot_small);
	tcase_add_test(tcase, statistics_know_regions);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	const char *why_not = pool_open(POOL);

	if (why_not) {
		printf("SKIP: %s\n", why_not);
		return 77;
	}
	return run_suite(hugetlb_suite());
}
