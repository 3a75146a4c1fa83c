/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/promoter/job.h"
#include "libhp/promoter/promoted.h"
#include "tests/suite.h"

#define SLOT (2 * HP_MIB)
#define SECOND 1000000000ULL

static struct hp_candidates found;
static struct hp_smaps mapping;

static void setup(void)
{
	found = (struct hp_candidates){.slot = SLOT, .least = SLOT / 2};
	mapping = (struct hp_smaps){.start = 0, .end = 64 * SLOT};
}

static void teardown(void)
{
	hp_candidates_clear(&found);
}

static void add(uint64_t slot, uint64_t present)
{
	struct hp_stretch s = {.start = slot * SLOT,
			       .end = (slot + 1) * SLOT,
			       .present = present};

	ck_assert_int_eq(hp_candidates_add(&found, &mapping, &s), 0);
}

START_TEST(the_most_resident_come_first)
{
	add(1, SLOT / 2);
	add(2, SLOT);
	add(3, SLOT - 4096);
	add(4, SLOT);
	hp_candidates_sort(&found);
	ck_assert_uint_eq(found.n, 4);
	ck_assert_uint_eq(found.list[0].start, 2 * SLOT);
	ck_assert_uint_eq(found.list[1].start, 4 * SLOT);
	ck_assert_uint_eq(found.list[2].start, 3 * SLOT);
	ck_assert_uint_eq(found.list[3].start, 1 * SLOT);
}
END_TEST

START_TEST(sparse_and_empty_slots_are_left_alone)
{
	add(1, SLOT / 2 - 4096);
	add(2, 0);
	ck_assert_uint_eq(found.n, 0);
	ck_assert_uint_eq(found.sparse, 1);
}
END_TEST

START_TEST(memory_of_others_is_left_alone)
{
	mapping.file = true;
	add(1, SLOT);
	mapping.file = false;
	mapping.shared = true;
	add(2, SLOT);
	mapping.shared = false;
	mapping.refused = true;
	add(3, SLOT);
	ck_assert_uint_eq(found.n, 0);
	ck_assert_uint_eq(found.refused, 1);
}
END_TEST

START_TEST(ends_of_mappings_and_huge_slots_are_no_candidates)
{
	struct hp_stretch s = {
		.start = SLOT + 4096, .end = 2 * SLOT, .present = SLOT - 4096};

	ck_assert_int_eq(hp_candidates_add(&found, &mapping, &s), 0);
	ck_assert_uint_eq(found.n + found.huge, 0);
	s = (struct hp_stretch){SLOT, 2 * SLOT, SLOT, SLOT, false};
	ck_assert_int_eq(hp_candidates_add(&found, &mapping, &s), 0);
	ck_assert_uint_eq(found.n, 0);
	ck_assert_uint_eq(found.huge, 1);
	s.unknown = true;
	ck_assert_int_eq(hp_candidates_add(&found, &mapping, &s), 0);
	ck_assert_uint_eq(found.unknown, SLOT);
}
END_TEST

START_TEST(promotion_is_foreseen_with_what_it_costs)
{
	struct hp_process_backing now = {.present = 10 * SLOT, .huge = 0};

	add(1, SLOT);
	add(2, SLOT / 2);
	ck_assert(hp_job_foresee(&now, &found, 0) == 0);
	ck_assert(hp_job_foresee(&now, &found, 1) == 0.1);
	ck_assert(hp_job_foresee(&now, &found, 2) == 2 / 10.5);
	now.present = 0;
	ck_assert(hp_job_foresee(&now, &found, 0) == 0);
}
END_TEST

START_TEST(errors_are_told_by_reason)
{
	ck_assert_int_eq(hp_outcome_of(0), HP_OUTCOME_PROMOTED);
	ck_assert_int_eq(hp_outcome_of(-ENOMEM), HP_OUTCOME_NO_MEMORY);
	ck_assert_int_eq(hp_outcome_of(-EBUSY), HP_OUTCOME_MEMCG);
	ck_assert_int_eq(hp_outcome_of(-EAGAIN), HP_OUTCOME_BUSY);
	ck_assert_int_eq(hp_outcome_of(-EINVAL), HP_OUTCOME_REFUSED);
	ck_assert_int_eq(hp_outcome_of(-ESRCH), HP_OUTCOME_ENDED);
	ck_assert_int_eq(hp_outcome_of(-EPERM), HP_OUTCOME_DENIED);
	ck_assert_int_eq(hp_outcome_of(-EIO), HP_OUTCOME_ERROR);
}
END_TEST

START_TEST(pace_is_kept_also_for_terabytes)
{
	struct hp_pace p = {.rate = 0, .start = 5, .done = UINT64_MAX};

	ck_assert_uint_eq(hp_pace_due(&p), 5);
	p.rate = SLOT;
	p.done = 0;
	ck_assert_uint_eq(hp_pace_due(&p), 5);
	p.done = 3 * SLOT + SLOT / 2;
	ck_assert_uint_eq(hp_pace_due(&p), 5 + 7 * SECOND / 2);
	p.done = 1000ULL << 40;
	p.rate = 1ULL << 40;
	ck_assert_uint_eq(hp_pace_due(&p), 5 + 1000 * SECOND);
}
END_TEST

static const struct hp_wish all = {.until = 100, .resident = 50};

START_TEST(success_is_all_or_what_was_asked_for)
{
	struct hp_job job = {.outcomes = {[HP_OUTCOME_PROMOTED] = 2}};

	ck_assert_int_eq(hp_job_success(&job, &all), HP_SUCCESS_DONE);
	job.nfailures = 1;
	ck_assert_int_eq(hp_job_success(&job, &all), HP_SUCCESS_PARTIAL);
	job.stop = HP_STOP_UNTIL;
	ck_assert_int_eq(hp_job_success(&job, &all), HP_SUCCESS_DONE);
	job.stop = HP_STOP_INTERRUPTED;
	job.nfailures = 0;
	ck_assert_int_eq(hp_job_success(&job, &all), HP_SUCCESS_PARTIAL);
	job = (struct hp_job){.nfailures = 3};
	ck_assert_int_eq(hp_job_success(&job, &all), HP_SUCCESS_CANNOT);
}
END_TEST

START_TEST(what_could_not_be_seen_is_not_done)
{
	struct hp_job job = {.found = {.unknown = SLOT}};

	ck_assert_int_eq(hp_job_success(&job, &all), HP_SUCCESS_CANNOT);
	job.found.huge = 1;
	ck_assert_int_eq(hp_job_success(&job, &all), HP_SUCCESS_PARTIAL);
	job.found.n = job.outcomes[HP_OUTCOME_PROMOTED] = 1;
	ck_assert_int_eq(hp_job_success(&job, &all), HP_SUCCESS_PARTIAL);
}
END_TEST

static void expect_plan(const struct hp_job *job, const char *part)
{
	struct hp_wish wish = {.until = 50, .resident = 50, .dry_run = true};
	char text[512] = "";
	FILE *out = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(out);
	hp_promoted_text(out, job, &wish, false);
	fclose(out);
	ck_assert_msg(strstr(text, part) != NULL, "no '%s' in %s", part, text);
}

START_TEST(a_plan_ends_at_coverage_only_where_that_is_known)
{
	struct hp_candidate slots[4] = {
		{0, SLOT}, {SLOT, SLOT}, {2 * SLOT, SLOT}, {3 * SLOT, SLOT}};
	struct hp_job job = {.slot = SLOT,
			     .found = {.n = 4, .list = slots, .slot = SLOT},
			     .has_before = true,
			     .before = {.present = 4 * SLOT}};

	expect_plan(&job, "would promote 2 of 4 slots");
	job.has_before = false;
	job.before.present = 0;
	expect_plan(&job, "would promote 4 of 4 slots");
}
END_TEST

START_TEST(coverage_that_was_not_reached_is_partial)
{
	struct hp_wish half = {.until = 50, .resident = 50};
	struct hp_job job = {.has_after = true,
			     .after = {.present = 100, .huge = 49}};

	ck_assert_int_eq(hp_job_success(&job, &half), HP_SUCCESS_PARTIAL);
	job.after.huge = 50;
	ck_assert_int_eq(hp_job_success(&job, &half), HP_SUCCESS_DONE);
	job.has_after = false;
	ck_assert_int_eq(hp_job_success(&job, &half), HP_SUCCESS_PARTIAL);
}
END_TEST

START_TEST(a_process_that_has_ended_is_told)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_lt(hp_collapse_open(pid), 0);
	ck_assert_str_eq(hp_collapse_obstacle(-ESRCH), "no such process");
	ck_assert_ptr_nonnull(
		strstr(hp_collapse_obstacle(-EPERM), "CAP_SYS_NICE"));
	ck_assert_ptr_nonnull(
		strstr(hp_collapse_obstacle(-EACCES), "CAP_SYS_PTRACE"));
}
END_TEST

static Suite *promoter_suite(void)
{
	Suite *suite = suite_create("promoter");
	TCase *tcase = tcase_create("slots");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_most_resident_come_first);
	tcase_add_test(tcase, sparse_and_empty_slots_are_left_alone);
	tcase_add_test(tcase, memory_of_others_is_left_alone);
	tcase_add_test(tcase,
		       ends_of_mappings_and_huge_slots_are_no_candidates);
	tcase_add_test(tcase, promotion_is_foreseen_with_what_it_costs);
	tcase_add_test(tcase, errors_are_told_by_reason);
	tcase_add_test(tcase, pace_is_kept_also_for_terabytes);
	tcase_add_test(tcase, success_is_all_or_what_was_asked_for);
	tcase_add_test(tcase, what_could_not_be_seen_is_not_done);
	tcase_add_test(tcase, a_plan_ends_at_coverage_only_where_that_is_known);
	tcase_add_test(tcase, coverage_that_was_not_reached_is_partial);
	tcase_add_test(tcase, a_process_that_has_ended_is_told);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(promoter_suite());
}
