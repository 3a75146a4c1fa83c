/* SPDX-License-Identifier: MIT */
#include "tests/fixture.h"
#include "tests/memory.h"

#include <sys/wait.h>

#include "libhp/backing.h"

#define ROLLUP "/proc/self/smaps_rollup"
#define SMAPS "/proc/self/smaps"

/* Linux 4.14's, which has no FilePmdMapped, with a figure above 2^32 kB */
static const char rollup[] =
	"00400000-7ffd3a5ff000 ---p 00000000 00:00 0  [rollup]\n"
	"Rss:          5000000000 kB\n"
	"Pss:              400000 kB\n"
	"AnonHugePages:    204800 kB\n"
	"ShmemPmdMapped:     2048 kB\n"
	"Shared_Hugetlb:     4096 kB\n"
	"Private_Hugetlb:    8192 kB\n"
	"Locked:                0 kB\n";

static const char smaps[] =
	"00400000-00600000 r-xp 00000000 08:01 17 /bin/AnonHugePages: 9 kB\n"
	"Size:               2048 kB\n"
	"Rss:                1000 kB\n"
	"AnonHugePages:         0 kB\n"
	"FilePmdMapped:         0 kB\n"
	"VmFlags: rd ex mr mw me \n"
	"a0000000-a0600000 rw-p 00000000 00:00 0 \n"
	"Rss:                6144 kB\n"
	"NotYetInvented:  1234567 kB\n"
	"AnonHugePages:      4096 kB\n"
	"VmFlags: rd wr mr mw me hg \n"
	"b0000000-b0400000 rw-p 00000000 00:0f 1 /anon_hugepage (deleted)\n"
	"Rss:                   0 kB\n"
	"Private_Hugetlb:    4096 kB\n"
	"VmFlags: rd wr mr mw me de ht \n"
	"c0000000-c0400000 rw-p 00000000 00:00 0 \n"
	"Rss:                4096 kB\n"
	"AnonHugePages:      4096 kB\n"
	"VmFlags: rd wr mr mw me hg \n";

static int query(struct hp_process_backing *p)
{
	memset(p, 0x55, sizeof(*p));
	return hp_process_query(0, p);
}

static void expect_error(int error)
{
	struct hp_process_backing p, untouched;

	memset(&untouched, 0x55, sizeof(untouched));
	ck_assert_int_eq(query(&p), error);
	ck_assert_mem_eq(&p, &untouched, sizeof(p));
}

START_TEST(rollup_is_read_by_field_name)
{
	struct hp_process_backing p;

	fixture_write(ROLLUP, rollup);
	ck_assert_int_eq(query(&p), 0);
	ck_assert_uint_eq(p.present, (5000000000 + 4096 + 8192) * 1024);
	ck_assert_uint_eq(p.thp, (204800 + 2048) * 1024);
	ck_assert_uint_eq(p.hugetlb, (4096 + 8192) * 1024);
	ck_assert_uint_eq(p.huge, p.thp + p.hugetlb);
}
END_TEST

START_TEST(smaps_is_summed_where_there_is_no_rollup)
{
	struct hp_process_backing p;

	fixture_write(SMAPS, smaps);
	ck_assert_int_eq(query(&p), 0);
	ck_assert_uint_eq(p.present, (1000 + 6144 + 4096 + 4096) * 1024);
	ck_assert_uint_eq(p.thp, 8192 * 1024);
	ck_assert_uint_eq(p.hugetlb, 4096 * 1024);
}
END_TEST

START_TEST(missing_files_are_no_zero)
{
	expect_error(-ENOENT);
}
END_TEST

START_TEST(empty_files_are_no_zero)
{
	fixture_write(ROLLUP, "");
	fixture_write(SMAPS, "");
	expect_error(-ENODATA);
}
END_TEST

START_TEST(lines_without_rss_are_no_zero)
{
	fixture_write(ROLLUP,
		      "00400000-00600000 ---p 00000000 00:00 0 [rollup]\n"
		      "AnonHugePages:    204800 kB\n");
	fixture_write(SMAPS, "garbage\n");
	expect_error(-ENODATA);
}
END_TEST

START_TEST(nonsense_figures_are_refused)
{
	fixture_write(ROLLUP,
		      "00400000-00600000 ---p 00000000 00:00 0 [rollup]\n"
		      "Rss:    lots\n");
	expect_error(-EINVAL);
	fixture_write(ROLLUP,
		      "00400000-00600000 ---p 00000000 00:00 0 [rollup]\n"
		      "Rss:    18446744073709551615 kB\n");
	expect_error(-EINVAL);
}
END_TEST

static void query_part(uint64_t start, uint64_t end, struct hp_backing *b)
{
	ck_assert_int_eq(hp_backing_smaps(start, end, b), 0);
	ck_assert_int_eq(b->source, HP_SOURCE_SMAPS);
}

START_TEST(part_of_a_mixed_mapping_is_unknown)
{
	struct hp_backing b;

	fixture_write(SMAPS, smaps);
	query_part(0xa0000000, 0xa0200000, &b);
	ck_assert_uint_eq(b.unknown, 0x200000);
	ck_assert_uint_eq(b.present, 0);
	query_part(0xa0000000, 0xa0600000, &b);
	ck_assert_uint_eq(b.unknown, 0);
	ck_assert_uint_eq(b.present, 0x600000);
	ck_assert_uint_eq(b.huge, 0x400000);
}
END_TEST

START_TEST(part_of_a_uniform_mapping_is_known)
{
	struct hp_backing b;

	fixture_write(SMAPS, smaps);
	query_part(0xc0000000, 0xc0200000, &b);
	ck_assert_uint_eq(b.unknown, 0);
	ck_assert_uint_eq(b.present, 0x200000);
	ck_assert_uint_eq(b.huge, 0x200000);
	query_part(0xb0200000, 0xc0200000, &b);
	ck_assert_uint_eq(b.hugetlb, 0x200000);
	ck_assert_uint_eq(b.huge, 0x400000);
	query_part(0xd0000000, 0xd0200000, &b);
	ck_assert_uint_eq(b.present + b.huge + b.unknown, 0);
}
END_TEST

START_TEST(own_process_has_memory)
{
	struct hp_process_backing p;
	char *huge = have_collapse() ? huge_slots(2) : NULL;

	ck_assert_int_eq(query(&p), 0);
	ck_assert_uint_gt(p.present, 100 * HP_KIB);
	ck_assert_uint_ge(p.huge, huge ? 2 * hp_slot_size() : 0);
	ck_assert_uint_ge(p.present, p.huge);
}
END_TEST

START_TEST(refusal_is_told_from_zero)
{
	struct hp_process_backing p;

	if (setgid(65534) || setuid(65534))
		return; /* only root can become one whom pid 1 surely refuses */
	ck_assert_int_eq(hp_process_query(1, &p), -EACCES);
}
END_TEST

START_TEST(process_that_ended_is_told_from_zero)
{
	struct hp_process_backing p;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	waitid(P_PID, (id_t)child, &(siginfo_t){0}, WEXITED | WNOWAIT);
	ck_assert_int_lt(hp_process_query(child, &p), 0);
	waitpid(child, NULL, 0);
	ck_assert_int_eq(hp_process_query(child, &p), -ENOENT);
	ck_assert_int_eq(hp_process_query(-1, &p), -EINVAL);
}
END_TEST

static Suite *process_suite(void)
{
	Suite *suite = suite_create("process");
	TCase *tcase = tcase_create("fixtures");

	tcase_add_checked_fixture(tcase, fixture_open, fixture_close);
	tcase_add_test(tcase, rollup_is_read_by_field_name);
	tcase_add_test(tcase, smaps_is_summed_where_there_is_no_rollup);
	tcase_add_test(tcase, missing_files_are_no_zero);
	tcase_add_test(tcase, empty_files_are_no_zero);
	tcase_add_test(tcase, lines_without_rss_are_no_zero);
	tcase_add_test(tcase, nonsense_figures_are_refused);
	tcase_add_test(tcase, part_of_a_mixed_mapping_is_unknown);
	tcase_add_test(tcase, part_of_a_uniform_mapping_is_known);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("live");
	tcase_add_test(tcase, own_process_has_memory);
	tcase_add_test(tcase, refusal_is_told_from_zero);
	tcase_add_test(tcase, process_that_ended_is_told_from_zero);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(process_suite());
}
