/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/compare_arms.h"
#include "preload/compare_judge.h"
#include "preload/compare_scratch.h"
#include "preload/compare_watch.h"
#include "probe/rng.h"
#include "tests/suite.h"

enum { ROUNDS = 7 };

static const struct hp_alternatives none;

static void make(struct hp_comparison *c, unsigned int rounds)
{
	struct hp_settings common;

	hp_settings_init(&common);
	ck_assert_int_eq(hp_comparison_init(c, rounds, &common, &none, &none),
			 0);
	hp_settings_clear(&common);
}

/* a run of @arm in every round: @wall seconds, every round slower by a tenth */
static void run(struct hp_comparison *c, enum hp_role role, double wall,
		double noise)
{
	struct hp_compare_arm *arm = hp_comparison_find(c, role);

	for (unsigned int i = 0; i < c->rounds; i++) {
		double drift = 1 + 0.1 * i;

		arm->runs[i].done = arm->runs[i].loaded = true;
		arm->runs[i].value[HP_MEASURE_WALL] =
			wall * drift * (1 + (i % 2 ? noise : -noise));
	}
}

static void run_all(struct hp_comparison *c, double try)
{
	run(c, HP_ROLE_PLAIN, 1, 0.01);
	run(c, HP_ROLE_CONTROL, 1.002, -0.01);
	run(c, HP_ROLE_OFF, 0.99, 0.005);
	run(c, HP_ROLE_TRY, try, 0.01);
}

static const struct hp_compare_arm *judged(struct hp_comparison *c)
{
	hp_compare_judge(c);
	return hp_comparison_find(c, HP_ROLE_TRY);
}

START_TEST(every_role_has_an_arm)
{
	struct hp_comparison c;
	struct hp_options *off;

	make(&c, ROUNDS);
	ck_assert_uint_eq(c.n, 4);
	ck_assert_str_eq(c.arm[0].name, "plain");
	ck_assert_uint_eq(hp_comparison_find(&c, HP_ROLE_PLAIN)->settings.n, 0);
	off = &hp_comparison_find(&c, HP_ROLE_OFF)->settings.options;
	ck_assert_int_eq(off->mode, HP_MODE_OFF);
	ck_assert_double_nan(c.arm[3].runs[ROUNDS - 1].value[0]);
	hp_comparison_clear(&c);
}
END_TEST

START_TEST(alternatives_are_tried_in_every_pair)
{
	struct hp_alternatives pages = {.n = 0}, mmap = {.n = 0};
	struct hp_settings common;
	struct hp_comparison c;

	hp_alternatives_add(&pages, "thp");
	hp_alternatives_add(&pages, "2M,thp");
	hp_alternatives_add(&mmap, "pack");
	hp_alternatives_add(&mmap, "off");
	hp_settings_init(&common);
	ck_assert_int_eq(hp_comparison_init(&c, 3, &common, &pages, &mmap), 0);
	ck_assert_uint_eq(c.n, 3 + 4);
	ck_assert_str_eq(c.arm[4].name, "try-2");
	ck_assert_str_eq(c.arm[4].pages, "thp");
	ck_assert_str_eq(c.arm[4].mmap, "off");
	ck_assert_str_eq(c.arm[6].pages, "2M,thp");
	ck_assert_int_eq(c.arm[6].settings.options.mmap, HP_MMAP_OFF);
	hp_comparison_clear(&c);
	hp_alternatives_clear(&pages);
	hp_alternatives_clear(&mmap);
}
END_TEST

START_TEST(too_many_arms_are_refused)
{
	struct hp_alternatives many = {.n = 0}, two = {.n = 0};
	struct hp_settings common;
	struct hp_comparison c;

	for (unsigned int i = 0; i < HP_ALTERNATIVES_MAX; i++)
		ck_assert_int_eq(hp_alternatives_add(&many, "thp"), 0);
	ck_assert_int_eq(hp_alternatives_add(&many, "thp"), -E2BIG);
	hp_alternatives_add(&two, "pack");
	hp_alternatives_add(&two, "off");
	hp_settings_init(&common);
	ck_assert_int_eq(hp_comparison_init(&c, 3, &common, &many, &two),
			 -E2BIG);
	hp_comparison_clear(&c);
	hp_alternatives_clear(&many);
	hp_alternatives_clear(&two);
}
END_TEST

START_TEST(tells_a_real_difference)
{
	static const struct {
		double try;
		enum hp_probe_verdict verdict;
	} cases[] = {{0.8, HP_PROBE_FASTER}, {1.25, HP_PROBE_SLOWER}};
	struct hp_comparison c;
	const struct hp_compare_arm *arm;

	make(&c, ROUNDS);
	run_all(&c, cases[_i].try);
	arm = judged(&c);
	ck_assert_int_eq(arm->verdict, cases[_i].verdict);
	ck_assert_int_eq(arm->doubt, HP_DOUBT_NONE);
	ck_assert_double_nan(arm->cpu_to_plain.value);
	/* drift would hide it if rounds were not paired */
	ck_assert_double_eq_tol(arm->to_plain.value, cases[_i].try, 0.001);
	ck_assert_double_eq_tol(arm->to_off.value, cases[_i].try / 0.99, 0.01);
	hp_comparison_clear(&c);
}
END_TEST

START_TEST(a_difference_within_the_floor_is_none)
{
	struct hp_comparison c;
	const struct hp_compare_arm *arm;

	make(&c, ROUNDS);
	run_all(&c, 0.99);
	arm = judged(&c);
	ck_assert_double_gt(c.floor, 0.015);
	/* consistently faster, but not by more than two plain arms differ */
	ck_assert_double_lt(arm->to_plain.hi, 1);
	ck_assert_str_eq(hp_compare_verdict_text(arm->verdict), "inconclusive");
	ck_assert_str_eq(hp_compare_doubt_word(arm->doubt), "within-noise");
	hp_comparison_clear(&c);
}
END_TEST

START_TEST(chance_alone_is_hardly_ever_faster)
{
	unsigned int faster = 0;
	struct hp_comparison c;
	struct hp_rng rng;

	make(&c, 5);
	hp_rng_seed(&rng, 3);
	for (unsigned int trial = 0; trial < 400; trial++) {
		for (unsigned int i = 0; i < c.n * c.rounds; i++)
			c.arm[i % c.n].runs[i / c.n].value[HP_MEASURE_WALL] =
				1 + (double)hp_rng_below(&rng, 1000) / 1000;
		faster += judged(&c)->verdict == HP_PROBE_FASTER;
	}
	ck_assert_uint_le(faster, 400 / 40);
	hp_comparison_clear(&c);
}
END_TEST

START_TEST(needs_three_rounds)
{
	struct hp_comparison c;
	const struct hp_compare_arm *arm;

	make(&c, 2);
	run_all(&c, 0.5);
	arm = judged(&c);
	ck_assert_int_eq(arm->doubt, HP_DOUBT_ROUNDS);
	ck_assert_double_nan(c.floor);
	ck_assert_double_eq_tol(arm->summary[HP_MEASURE_WALL].min, 0.495, 1e-9);
	hp_comparison_clear(&c);
}
END_TEST

START_TEST(processor_time_is_that_of_both_modes)
{
	struct hp_comparison c;
	const struct hp_compare_arm *arm;

	make(&c, 3);
	run_all(&c, 1);
	for (unsigned int i = 0; i < c.n * c.rounds; i++) {
		struct hp_compare_arm *of = &c.arm[i % c.n];
		double *value = of->runs[i / c.n].value;

		value[HP_MEASURE_USER] = 3;
		value[HP_MEASURE_SYS] = of->role == HP_ROLE_TRY ? 0 : 1;
	}
	arm = judged(&c);
	ck_assert_double_eq_tol(arm->cpu_to_plain.value, 0.75, 1e-9);
	hp_comparison_clear(&c);
}
END_TEST

START_TEST(an_unfinished_round_is_left_out)
{
	struct hp_comparison c;
	const struct hp_compare_arm *arm;

	make(&c, ROUNDS);
	run_all(&c, 0.8);
	hp_comparison_find(&c, HP_ROLE_TRY)
		->runs[ROUNDS - 1]
		.value[HP_MEASURE_WALL] = NAN;
	arm = judged(&c);
	ck_assert_int_eq(arm->verdict, HP_PROBE_FASTER);
	hp_comparison_clear(&c);
}
END_TEST

START_TEST(a_doubt_about_all_forbids_a_verdict)
{
	struct hp_comparison c;

	make(&c, ROUNDS);
	run_all(&c, 0.5);
	c.doubt = HP_DOUBT_OUTPUT;
	ck_assert_str_eq(hp_compare_verdict_text(judged(&c)->verdict),
			 "inconclusive");
	hp_comparison_clear(&c);
}
END_TEST

static int file_of(const char *text, size_t len)
{
	int fd = hp_scratch_open();

	ck_assert_int_gt(fd, 2);
	ck_assert_int_eq(write(fd, text, len), (ssize_t)len);
	return fd;
}

START_TEST(finds_the_first_byte_that_differs)
{
	static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 200000};
	size_t len = sizes[_i];
	char *text = calloc(1, len + 1);
	int a = file_of(text, len), b = file_of(text, len);
	int longer = file_of(text, len + 1), c;

	ck_assert_int_eq(hp_scratch_difference(a, b), -1);
	ck_assert_int_eq(hp_scratch_difference(a, longer), (long)len);
	ck_assert_int_eq(hp_scratch_difference(longer, a), (long)len);
	text[len / 2] = 'x';
	c = file_of(text, len + 1);
	ck_assert_int_eq(hp_scratch_difference(longer, c), (long)len / 2);
	close(a);
	close(b);
	close(c);
	close(longer);
	free(text);
}
END_TEST

START_TEST(watching_itself_it_sees_memory)
{
	struct hp_watch watch = {.present = 0};

	ck_assert_double_nan(hp_watch_coverage(&watch));
	hp_watch_look(getpid(), &watch);
	if (access("/proc/self/smaps_rollup", R_OK))
		return;
	ck_assert_uint_gt(watch.present, 0);
	ck_assert_double_ge(hp_watch_coverage(&watch), 0);
	ck_assert_double_le(hp_watch_coverage(&watch), 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("compare");
	TCase *tcase = tcase_create("compare");

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, every_role_has_an_arm);
	tcase_add_test(tcase, alternatives_are_tried_in_every_pair);
	tcase_add_test(tcase, too_many_arms_are_refused);
	tcase_add_loop_test(tcase, tells_a_real_difference, 0, 2);
	tcase_add_test(tcase, a_difference_within_the_floor_is_none);
	tcase_add_test(tcase, chance_alone_is_hardly_ever_faster);
	tcase_add_test(tcase, needs_three_rounds);
	tcase_add_test(tcase, processor_time_is_that_of_both_modes);
	tcase_add_test(tcase, an_unfinished_round_is_left_out);
	tcase_add_test(tcase, a_doubt_about_all_forbids_a_verdict);
	tcase_add_loop_test(tcase, finds_the_first_byte_that_differs, 0, 6);
	tcase_add_test(tcase, watching_itself_it_sees_memory);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
