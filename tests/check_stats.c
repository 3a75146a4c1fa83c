/* SPDX-License-Identifier: MIT */
#include "tests/fixture.h"
#include "tests/memory.h"

#include "libhp/cause.h"
#include "libhp/stats.h"
#include "libhp/tally.h"

static struct hp_range ranges[8];
static size_t nranges;

static void list_ranges(hp_range_fn fn, void *arg)
{
	for (size_t i = 0; i < nranges; i++)
		fn(&ranges[i], arg);
}

static uint64_t used(void)
{
	return 12345;
}

static struct hp_provider provider = {
	.origin = HP_ORIGIN_MMAP,
	.ranges = list_ranges,
	.used = used,
};

static void add(const char *p, size_t len, enum hp_reason reason)
{
	ranges[nranges++] = (struct hp_range){
		.start = (uintptr_t)p,
		.end = (uintptr_t)p + len,
		.reason = reason,
	};
}

/* a machine where nothing stands against THP */
static void collect_as(struct hp_stats *s, enum hp_thp_mode thp)
{
	struct hp_pagesizes ps;

	hp_pagesizes_read(&ps);
	ps.thp = thp;
	ps.thp_pmd = HP_THP_INHERIT;
	ps.prctl = 0;
	hp_stats_provide(&provider);
	hp_stats_collect(s, &ps);
}

static void collect(struct hp_stats *s)
{
	collect_as(s, HP_THP_MADVISE);
}

static uint64_t sum_reasons(const struct hp_stats *s)
{
	uint64_t sum = 0;

	for (int i = 0; i < HP_REASON_COUNT; i++)
		sum += s->reasons[i];
	return sum;
}

START_TEST(nothing_is_managed_without_providers)
{
	struct hp_stats s;

	ck_assert_int_eq(hp_stats_read(&s), 0);
	ck_assert_uint_eq(s.managed.slots, 0);
	ck_assert_uint_eq(s.managed.present, 0);
	ck_assert_uint_eq(sum_reasons(&s), 0);
	ck_assert_uint_gt(s.process.present, 0);
}
END_TEST

START_TEST(huge_slots_need_no_reason)
{
	size_t slot = hp_slot_size();
	struct hp_stats s;

	add(huge_slots(3), 3 * slot, HP_REASON_NONE);
	collect(&s);
	ck_assert_uint_eq(s.mmap.slots, 3);
	ck_assert_uint_eq(s.mmap.huge, 3 * slot);
	ck_assert_uint_eq(s.mmap.used, 12345);
	ck_assert_uint_eq(s.managed.present, 3 * slot);
	ck_assert_uint_eq(s.managed.unknown, 0);
	ck_assert_uint_eq(s.heap.slots, 0);
	ck_assert_uint_eq(sum_reasons(&s), 0);
}
END_TEST

START_TEST(every_small_slot_has_one_reason)
{
	size_t slot = hp_slot_size();
	char *p = small_slots(4);
	struct hp_stats s;

	madvise(p, slot, MADV_DONTNEED);
	add(p, 2 * slot, HP_REASON_POOL_EMPTY);
	add(p + 2 * slot, 2 * slot, HP_REASON_RELEASED);
	collect(&s);
	ck_assert_uint_eq(s.mmap.slots, 4);
	ck_assert_uint_eq(s.mmap.present, 3 * slot);
	ck_assert_uint_eq(s.reasons[HP_REASON_NOT_TOUCHED], 1);
	ck_assert_uint_eq(s.reasons[HP_REASON_POOL_EMPTY], 1);
	ck_assert_uint_eq(s.reasons[HP_REASON_RELEASED], 2);
	ck_assert_uint_eq(sum_reasons(&s), 4);
}
END_TEST

START_TEST(packed_ranges_share_a_slot)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = small_slots(2);
	struct hp_stats s;

	add(p, 5 * page, HP_REASON_SPLIT);
	add(p + 5 * page, 7 * page, HP_REASON_SPLIT);
	add(p + slot - page, 2 * page, HP_REASON_SPLIT);
	collect(&s);
	ck_assert_uint_eq(s.mmap.slots, 2);
	ck_assert_uint_eq(s.mmap.present, 14 * page);
	ck_assert_uint_eq(s.reasons[HP_REASON_SPLIT], 2);
}
END_TEST

START_TEST(what_forbids_thp_is_named)
{
	size_t slot = hp_slot_size();
	struct hp_stats s;

	add(small_slots(2), 2 * slot, HP_REASON_NONE);
	collect_as(&s, HP_THP_NEVER);
	ck_assert_uint_eq(s.reasons[HP_REASON_SYSFS_NEVER], 2);
}
END_TEST

START_TEST(part_of_a_slot_is_unaligned)
{
	struct hp_stats s;

	add(small_slots(1), hp_slot_size() / 2, HP_REASON_NONE);
	collect(&s);
	ck_assert_uint_eq(s.reasons[HP_REASON_UNALIGNED], 1);
}
END_TEST

START_TEST(slot_in_two_mappings_is_split)
{
	size_t slot = hp_slot_size();
	char *p = small_slots(3);
	struct hp_stats s;

	mprotect(p + slot, hp_linux_page_size(), PROT_READ);
	add(p, 3 * slot, HP_REASON_NONE);
	collect(&s);
	ck_assert_uint_eq(s.reasons[HP_REASON_SPLIT], 1);
	ck_assert_uint_eq(sum_reasons(&s), 3);
}
END_TEST

START_TEST(slot_without_a_visible_cause_is_unknown)
{
	struct hp_stats s;

	add(small_slots(2), 2 * hp_slot_size(), HP_REASON_NONE);
	collect(&s);
	ck_assert_uint_eq(s.reasons[HP_REASON_UNKNOWN], 2);
}
END_TEST

static void write_counters(int fallback, int charge)
{
	char text[128];

	snprintf(text, sizeof(text),
		 "nr_free_pages 17\nthp_fault_fallback %d\n"
		 "thp_fault_fallback_charge %d\nthp_collapse_alloc 3\n",
		 fallback, charge);
	fixture_write("/proc/vmstat", text);
}

START_TEST(failed_faults_account_for_so_many_slots)
{
	size_t slot = hp_slot_size();
	char *p = small_slots(6);
	struct hp_stats s;

	if (!have_scan())
		return; /* smaps would have to be in the fixture, too */
	fixture_open();
	write_counters(100, 10);
	hp_cause_start();
	write_counters(103, 11);
	add(p, 6 * slot, HP_REASON_NONE);
	collect(&s);
	fixture_close();
	ck_assert_uint_eq(s.reasons[HP_REASON_MEMCG], 1);
	ck_assert_uint_eq(s.reasons[HP_REASON_NO_CONTIGUOUS], 2);
	ck_assert_uint_eq(s.reasons[HP_REASON_UNKNOWN], 3);
}
END_TEST

/* a kernel that cannot be asked: no pagemap, and smaps from the fixture */
static void tally_blind(struct hp_source_stats *sums, uint64_t *reasons)
{
	struct hp_pagesizes ps;
	struct hp_cause cause;
	struct hp_tally tally = {
		.sums = sums,
		.reasons = reasons,
		.cause = &cause,
	};

	hp_pagesizes_read(&ps);
	hp_cause_open(&cause, &ps, NULL);
	for (size_t i = 0; i < nranges; i++)
		hp_tally_range(&tally, &ranges[i]);
	hp_tally_finish(&tally);
}

START_TEST(what_cannot_be_asked_is_unknown)
{
	size_t slot = hp_slot_size();
	struct hp_source_stats sums = {0};
	uint64_t reasons[HP_REASON_COUNT] = {0};

	add((char *)(64 * slot), 4 * slot, HP_REASON_NONE);
	fixture_open();
	tally_blind(&sums, reasons);
	fixture_close();
	ck_assert_uint_eq(sums.unknown, 4 * slot);
	ck_assert_uint_eq(sums.present, 0);
	ck_assert_uint_eq(sums.slots, 4);
	ck_assert_uint_eq(reasons[HP_REASON_UNKNOWN], 4);
}
END_TEST

START_TEST(smaps_stands_in_for_whole_mappings)
{
	size_t slot = hp_slot_size(), kib = slot / 1024;
	struct hp_source_stats sums = {0};
	uint64_t reasons[HP_REASON_COUNT] = {0};
	char text[256];

	add((char *)(64 * slot), 4 * slot, HP_REASON_NONE);
	fixture_open();
	snprintf(text, sizeof(text),
		 "%zx-%zx rw-p 00000000 00:00 0 \nRss: %zu kB\n"
		 "AnonHugePages: %zu kB\n",
		 64 * slot, 68 * slot, 3 * kib, 2 * kib);
	fixture_write("/proc/self/smaps", text);
	tally_blind(&sums, reasons);
	fixture_close();
	ck_assert_uint_eq(sums.unknown, 0);
	ck_assert_uint_eq(sums.present, 3 * slot);
	ck_assert_uint_eq(sums.huge, 2 * slot);
	ck_assert_uint_eq(reasons[HP_REASON_UNKNOWN], 2);
}
END_TEST

START_TEST(unreadable_process_is_all_unknown)
{
	struct hp_stats s;

	fixture_open();
	ck_assert_int_eq(hp_stats_read(&s), 0);
	fixture_close();
	ck_assert_uint_eq(s.process.present, HP_BYTES_UNKNOWN);
	ck_assert_uint_eq(s.process.huge, HP_BYTES_UNKNOWN);
	ck_assert_uint_eq(s.process.thp, HP_BYTES_UNKNOWN);
	ck_assert_uint_eq(s.process.hugetlb, HP_BYTES_UNKNOWN);
}
END_TEST

START_TEST(regions_are_listed_in_order)
{
	size_t slot = hp_slot_size();
	struct hp_region *r[5];
	struct hp_stats s;

	for (size_t i = 0; i < 5; i++) {
		ck_assert_int_eq(hp_region_open(&r[i], (i + 1) * slot, NULL),
				 0);
		*(char *)hp_region_addr(r[i]) = 1;
	}
	ck_assert_int_eq(hp_stats_read(&s), 0);
	ck_assert_uint_eq(s.region.slots, 15);
	ck_assert_uint_eq(s.region.used, 15 * slot);
	ck_assert_uint_eq(s.reasons[HP_REASON_NOT_TOUCHED], 10);
	hp_region_close(r[2]);
	ck_assert_int_eq(hp_stats_read(&s), 0);
	ck_assert_uint_eq(s.region.slots, 12);
}
END_TEST

static Suite *stats_suite(bool thp)
{
	Suite *suite = suite_create("stats");
	TCase *tcase = tcase_create("any machine");

	tcase_add_test(tcase, nothing_is_managed_without_providers);
	tcase_add_test(tcase, every_small_slot_has_one_reason);
	tcase_add_test(tcase, packed_ranges_share_a_slot);
	tcase_add_test(tcase, what_forbids_thp_is_named);
	tcase_add_test(tcase, part_of_a_slot_is_unaligned);
	tcase_add_test(tcase, slot_in_two_mappings_is_split);
	tcase_add_test(tcase, slot_without_a_visible_cause_is_unknown);
	tcase_add_test(tcase, failed_faults_account_for_so_many_slots);
	tcase_add_test(tcase, what_cannot_be_asked_is_unknown);
	tcase_add_test(tcase, smaps_stands_in_for_whole_mappings);
	tcase_add_test(tcase, unreadable_process_is_all_unknown);
	tcase_add_test(tcase, regions_are_listed_in_order);
	if (thp)
		tcase_add_test(tcase, huge_slots_need_no_reason);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(stats_suite(have_collapse()));
}
