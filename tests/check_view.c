/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/doctor/view.h"
#include "libhp/linux.h"
#include "tests/suite.h"

#define SLOT (2 * HP_MIB)

static struct hp_view view;
static struct hp_smaps mapping;
static struct hp_stretch stretch;

static void setup(void)
{
	view = (struct hp_view){
		.target = {.thp = 1},
		.ps = {.base = 4096,
		       .pmd = SLOT,
		       .thp = HP_THP_MADVISE,
		       .thp_pmd = HP_THP_INHERIT},
	};
	mapping = (struct hp_smaps){.start = SLOT, .end = 9 * SLOT};
	stretch = (struct hp_stretch){
		.start = SLOT, .end = 2 * SLOT, .present = 4096};
}

static void expect_why(enum hp_why why)
{
	ck_assert_str_eq(hp_why_text(hp_view_why(&view, &mapping, &stretch)),
			 hp_why_text(why));
}

START_TEST(memory_nobody_advised_was_not_asked_for)
{
	expect_why(HP_WHY_NOT_ASKED);
	mapping.advised = true;
	expect_why(HP_WHY_POSSIBLE);
	mapping.advised = false;
	view.ps.thp = HP_THP_ALWAYS;
	expect_why(HP_WHY_POSSIBLE);
	view.ps.thp_pmd = HP_THP_MADVISE;
	expect_why(HP_WHY_NOT_ASKED);
}
END_TEST

START_TEST(what_forbids_comes_before_what_was_not_asked)
{
	view.ps.thp = HP_THP_NEVER;
	expect_why(HP_WHY_SYSFS);
	view.ps.thp_pmd = HP_THP_NEVER;
	expect_why(HP_WHY_SIZE);
	view.target.thp = 0;
	expect_why(HP_WHY_PRCTL);
	mapping.refused = true;
	expect_why(HP_WHY_ADVICE);
	stretch.end -= 4096;
	expect_why(HP_WHY_UNALIGNED);
	mapping.shared = true;
	expect_why(HP_WHY_FILE);
}
END_TEST

START_TEST(a_flag_that_is_not_known_forbids_nothing)
{
	view.target.thp = -1;
	mapping.advised = true;
	expect_why(HP_WHY_POSSIBLE);
}
END_TEST

START_TEST(nine_tenths_are_good)
{
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_GOOD);
	view.kinds[HP_KIND_HUGE].present = 90 * SLOT;
	view.small[HP_WHY_POSSIBLE].present = 9 * SLOT;
	view.small[HP_WHY_UNALIGNED].present = SLOT;
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_GOOD);
	view.small[HP_WHY_NOT_ASKED].present = 1;
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_LIMITED);
}
END_TEST

START_TEST(files_and_trifles_do_not_count)
{
	view.small[HP_WHY_FILE].present = 1000 * SLOT;
	view.small[HP_WHY_UNALIGNED].present = 2 * SLOT;
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_GOOD);
	view.small[HP_WHY_UNALIGNED].present++;
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_LIMITED);
}
END_TEST

static void expect_text(const char *part)
{
	char text[2048] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(out);
	hp_view_text(out, &view, false);
	fclose(out);
	ck_assert_msg(strstr(text, part) != NULL, "no '%s' in %s", part, text);
}

START_TEST(what_libhp_left_small_is_told_as_its_doing)
{
	view.small[HP_WHY_NOT_ASKED].present = SLOT;
	expect_text("nobody asked; hprun does");
	view.has_libhp = true;
	expect_text("libhp did not ask");
}
END_TEST

START_TEST(forbidden_and_nothing_huge_cannot)
{
	view.small[HP_WHY_SYSFS].present = 1;
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_CANNOT);
	view.kinds[HP_KIND_HUGETLB].present = 1;
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_GOOD);
	view.small[HP_WHY_SYSFS].present = 3 * SLOT;
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_LIMITED);
}
END_TEST

START_TEST(half_known_is_not_good)
{
	view.kinds[HP_KIND_HUGE].present = 1000;
	view.kinds[HP_KIND_UNKNOWN].present = 1;
	ck_assert_int_eq(hp_view_verdict(&view), HP_VERDICT_LIMITED);
}
END_TEST

static const struct hp_range *range_at(const void *addr)
{
	uint64_t at = (uintptr_t)addr;

	for (size_t i = 0; i < view.n; i++)
		if (view.ranges[i].start <= at && at < view.ranges[i].end)
			return &view.ranges[i];
	ck_abort_msg("no range at %p", addr);
}

/* four slots of this process: touched, not, touched, touched */
static char *make_slots(size_t slot)
{
	char *all = mmap(NULL, 5 * slot, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *first = (char *)hp_align_up((uintptr_t)all, slot);

	ck_assert_ptr_ne(all, MAP_FAILED);
	ck_assert_int_eq(madvise(first, 4 * slot, MADV_NOHUGEPAGE), 0);
	first[0] = first[2 * slot] = first[3 * slot] = 1;
	return first;
}

START_TEST(slots_of_a_process_are_joined_where_equal)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *first = make_slots(slot);
	const struct hp_range *r;

	ck_assert_int_eq(hp_view_read(getpid(), &view), 0);
	r = range_at(first);
	ck_assert_uint_eq(r->start, (uintptr_t)first);
	ck_assert_uint_eq(r->end - r->start, slot);
	ck_assert_int_eq(r->kind, HP_KIND_SMALL);
	ck_assert_int_eq(r->why, HP_WHY_ADVICE);
	ck_assert_uint_eq(r->present, page);
	ck_assert_int_eq(range_at(first + slot)->kind, HP_KIND_ABSENT);
	r = range_at(first + 3 * slot);
	ck_assert_uint_eq(r->start, (uintptr_t)first + 2 * slot);
	ck_assert_uint_eq(r->present, 2 * page);
	ck_assert_ptr_eq(r, range_at(first + 2 * slot));
	hp_view_clear(&view);
}
END_TEST

START_TEST(all_of_a_process_is_told_once)
{
	uint64_t at = 0, present = 0;

	ck_assert_int_eq(hp_view_read(getpid(), &view), 0);
	for (size_t i = 0; i < view.n; i++) {
		ck_assert_uint_ge(view.ranges[i].start, at);
		ck_assert_uint_gt(view.ranges[i].end, view.ranges[i].start);
		at = view.ranges[i].end;
		present += view.ranges[i].present;
	}
	for (int kind = 0; kind < HP_KIND_COUNT; kind++)
		present -= view.kinds[kind].present;
	ck_assert_uint_eq(present, 0);
	hp_view_clear(&view);
}
END_TEST

START_TEST(no_process_no_view)
{
	ck_assert_int_eq(hp_view_read(0x3fffffff, &view), -ENOENT);
	ck_assert_ptr_null(view.ranges);
}
END_TEST

/* Linux 6.7: before, a mapping is told as a whole */
static bool can_scan(void)
{
	struct hp_backing b;

	return !hp_backing_query(&view, sizeof(view), &b) &&
	       b.source == HP_SOURCE_PAGEMAP_SCAN;
}

static Suite *view_suite(void)
{
	Suite *suite = suite_create("view");
	TCase *pure = tcase_create("pure"), *live = tcase_create("live");

	tcase_add_checked_fixture(pure, setup, NULL);
	tcase_add_test(pure, memory_nobody_advised_was_not_asked_for);
	tcase_add_test(pure, what_forbids_comes_before_what_was_not_asked);
	tcase_add_test(pure, a_flag_that_is_not_known_forbids_nothing);
	tcase_add_test(pure, nine_tenths_are_good);
	tcase_add_test(pure, files_and_trifles_do_not_count);
	tcase_add_test(pure, what_libhp_left_small_is_told_as_its_doing);
	tcase_add_test(pure, forbidden_and_nothing_huge_cannot);
	tcase_add_test(pure, half_known_is_not_good);
	if (can_scan())
		tcase_add_test(live, slots_of_a_process_are_joined_where_equal);
	tcase_add_test(live, all_of_a_process_is_told_once);
	tcase_add_test(live, no_process_no_view);
	suite_add_tcase(suite, pure);
	suite_add_tcase(suite, live);
	return suite;
}

int main(void)
{
	return run_suite(view_suite());
}
