/* SPDX-License-Identifier: MIT */
/*
 * check_granule_study.c - hp_probe_granule() as a program calls it
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/hp_probe.h"
#include "tests/suite.h"

#define TIMEOUT_S 300

static const int stopped = 1;
static double announced;

static void remember(const char *command, double bound_s, void *arg)
{
	ck_assert_str_eq(command, "granule");
	ck_assert_ptr_eq(arg, &announced);
	announced = bound_s;
}

static struct hp_probe_options small_options(void)
{
	struct hp_probe_options options;

	hp_probe_options_init(&options);
	options.span = 1 << 20;
	options.pages = "base";
	options.rounds = 3;
	return options;
}

static struct hp_granule_study *study_of(const struct hp_probe_options *options)
{
	struct hp_granule_study *study = NULL;

	ck_assert_int_eq(hp_probe_granule(options, &study), 0);
	ck_assert_ptr_nonnull(study);
	return study;
}

START_TEST(refuses_what_cannot_be)
{
	struct hp_probe_options options = small_options();
	struct hp_granule_study *study = NULL;

	options.pages = "base,3M";
	ck_assert_int_eq(hp_probe_granule(&options, &study), -EINVAL);
	options = small_options();
	options.span = 1;
	ck_assert_int_eq(hp_probe_granule(&options, &study), -EINVAL);
	options.span = (uint64_t)1 << 60;
	ck_assert_int_eq(hp_probe_granule(&options, &study), -ENOMEM);
	options = small_options();
	options.pattern = "dense";
	ck_assert_int_eq(hp_probe_granule(&options, &study), -ENOENT);
	ck_assert_ptr_null(study);
	hp_granule_study_free(NULL);
}
END_TEST

START_TEST(told_to_stop_it_knows_nothing)
{
	struct hp_probe_options options = small_options();
	struct hp_granule_study *study;

	options.stop = &stopped;
	study = study_of(&options);
	ck_assert(study->interrupted);
	ck_assert(!study->conclusions_valid);
	ck_assert_uint_eq(study->nfindings, 1);
	ck_assert_str_ne(study->findings[0].reason, "");
	ck_assert_uint_eq(study->findings[0].result.effective, 0);
	ck_assert_uint_eq(study->findings[0].sweep[0].len, 0);
	ck_assert_ptr_null((const void *)study->options.stop);
	hp_granule_study_free(study);
}
END_TEST

START_TEST(the_bound_is_told_and_may_be_lowered)
{
	struct hp_probe_options options = small_options();
	struct hp_granule_study *study;

	options.stop = &stopped;
	options.announce = remember;
	options.arg = &announced;
	study = study_of(&options);
	ck_assert(announced > 0 && announced == study->bound_s);
	hp_granule_study_free(study);
	ck_assert(hp_probe_bound("granule", &options) > 0);
	options.limit_s = 1;
	study = study_of(&options);
	ck_assert(announced == 1 && study->bound_s == 1);
	ck_assert(hp_probe_bound("granule", &options) == 1);
	hp_granule_study_free(study);
	options.pages = "3M";
	ck_assert(hp_probe_bound("granule", &options) == 0);
}
END_TEST

static void check_finding(const struct hp_granule_finding *f)
{
	struct hp_granule_result again;

	ck_assert_uint_eq(f->span, 1 << 20);
	ck_assert_uint_eq(f->claim.claimed, f->claim.base);
	for (size_t pass = 0; pass < 2; pass++) {
		ck_assert_uint_gt(f->sweep[pass].len, 0);
		ck_assert_uint_gt(f->chunks[pass].total, 0);
	}
	ck_assert_int_eq(
		hp_granule_infer(&f->sweep[0], &f->sweep[1], &f->claim, &again),
		0);
	ck_assert_uint_eq(again.effective, f->result.effective);
	ck_assert_int_eq(again.diagnosis, f->result.diagnosis);
	ck_assert_str_eq(again.reason, f->result.reason);
}

START_TEST(its_sweeps_lead_to_its_result)
{
	struct hp_probe_options options = small_options();
	struct hp_granule_study *study = study_of(&options);

	ck_assert(study->conclusions_valid);
	ck_assert_str_eq(study->pages, "base");
	ck_assert_uint_eq(study->nfindings, 1);
	check_finding(&study->findings[0]);
	hp_granule_study_free(study);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("granule study");
	TCase *tcase = tcase_create("calls");

	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_test(tcase, refuses_what_cannot_be);
	tcase_add_test(tcase, told_to_stop_it_knows_nothing);
	tcase_add_test(tcase, the_bound_is_told_and_may_be_lowered);
	/* it samples real time until chunks are good or time is up */
	if (getenv("HP_VALGRIND"))
		puts("NOTE: no sweep is taken: valgrind has no real time");
	else
		tcase_add_test(tcase, its_sweeps_lead_to_its_result);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
