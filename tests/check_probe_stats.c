/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "probe/rng.h"
#include "probe/stats.h"
#include "tests/suite.h"

static double noise(struct hp_rng *rng, double size)
{
	double sum = -6;

	for (unsigned int i = 0; i < 12; i++)
		sum += (double)hp_rng_below(rng, 1 << 20) / (1 << 20);
	return size * sum;
}

START_TEST(sorts_whatever_order)
{
	struct hp_rng rng;
	double values[200];

	hp_rng_seed(&rng, 1);
	for (size_t n = 0; n <= 200; n++) {
		for (size_t i = 0; i < n; i++)
			values[i] = (double)hp_rng_below(&rng, 50);
		hp_stats_sort(values, n);
		for (size_t i = 1; i < n; i++)
			ck_assert(values[i - 1] <= values[i]);
	}
}
END_TEST

START_TEST(quantiles_lie_between_neighbours)
{
	static const double values[] = {1, 2, 3, 4};

	ck_assert_double_eq(hp_stats_quantile(values, 4, 0), 1);
	ck_assert_double_eq(hp_stats_quantile(values, 4, 0.25), 1.75);
	ck_assert_double_eq(hp_stats_quantile(values, 4, 0.5), 2.5);
	ck_assert_double_eq(hp_stats_quantile(values, 4, 1), 4);
	ck_assert_double_eq(hp_stats_quantile(values, 1, 0.9), 1);
	ck_assert_double_nan(hp_stats_quantile(values, 0, 0.5));
}
END_TEST

START_TEST(summary_of_nothing_is_not_known)
{
	struct hp_probe_summary ns = hp_stats_summary(NULL, 0);

	ck_assert_double_nan(ns.median);
	ck_assert_double_nan(ns.q1);
	ck_assert_double_nan(ns.q3);
	ck_assert_double_nan(ns.min);
}
END_TEST

START_TEST(summary_leaves_out_what_is_not_known)
{
	double values[] = {NAN, 3, 1, NAN, 2};
	struct hp_probe_summary ns = hp_stats_summary(values, 5);

	ck_assert_double_eq(ns.median, 2);
	ck_assert_double_eq(ns.min, 1);
}
END_TEST

START_TEST(ratio_is_paired)
{
	/* Both arms drift together by far more than they differ. */
	double arm[8], base[8];
	struct hp_probe_interval ratio;

	for (unsigned int i = 0; i < 8; i++) {
		base[i] = 100 * (i + 1);
		arm[i] = 0.9 * base[i];
	}
	ratio = hp_stats_ratio(arm, base, 8, 1);
	ck_assert_double_eq_tol(ratio.value, 0.9, 1e-9);
	ck_assert_double_eq_tol(ratio.lo, 0.9, 1e-9);
	ck_assert_double_eq_tol(ratio.hi, 0.9, 1e-9);
}
END_TEST

START_TEST(incomplete_pairs_are_left_out)
{
	double arm[] = {90, NAN, 91, 92, 5};
	double base[] = {100, 3, 100, 100, NAN};
	struct hp_probe_interval ratio = hp_stats_ratio(arm, base, 5, 1);

	ck_assert_double_eq_tol(ratio.value, 0.91, 1e-9);
}
END_TEST

START_TEST(two_pairs_tell_nothing)
{
	double arm[] = {90, 91}, base[] = {100, 100};

	ck_assert_double_nan(hp_stats_ratio(arm, base, 2, 1).value);
	ck_assert_double_nan(hp_stats_floor(arm, base, 2, 1));
}
END_TEST

START_TEST(same_seed_same_interval)
{
	double arm[] = {9, 10, 11, 12, 13}, base[] = {10, 10, 10, 10, 10};
	struct hp_probe_interval a = hp_stats_ratio(arm, base, 5, 42);
	struct hp_probe_interval b = hp_stats_ratio(arm, base, 5, 42);

	ck_assert_double_eq(a.lo, b.lo);
	ck_assert_double_eq(a.hi, b.hi);
	ck_assert(a.lo <= a.value && a.value <= a.hi);
}
END_TEST

START_TEST(difference_takes_the_median_of_differences)
{
	double a[] = {11, 22, 33, 1000}, b[] = {10, 20, 30, 40};

	ck_assert_double_eq_tol(hp_stats_difference(a, b, 4, 1).value, 2.5,
				1e-9);
}
END_TEST

/* How often the interval of two equal arms holds the truth, of 200 tries. */
static unsigned int covered(unsigned int rounds, double size)
{
	unsigned int hits = 0;
	struct hp_rng rng;

	hp_rng_seed(&rng, 2022);
	for (unsigned int t = 0; t < 200; t++) {
		struct hp_probe_interval ratio;
		double a[HP_STATS_PAIRS_MAX], b[HP_STATS_PAIRS_MAX];

		for (unsigned int i = 0; i < rounds; i++) {
			a[i] = 100 + noise(&rng, size);
			b[i] = 100 + noise(&rng, size);
		}
		ratio = hp_stats_ratio(a, b, rounds, t);
		hits += ratio.lo <= 1 && ratio.hi >= 1;
	}
	return hits;
}

START_TEST(interval_holds_the_truth_nine_times_of_ten)
{
	ck_assert_uint_ge(covered(5, 5), 180);
	ck_assert_uint_ge(covered(20, 5), 180);
}
END_TEST

/* What the verdict says when the arm costs @effect as much, of 200 tries. */
static unsigned int told(double effect, enum hp_probe_verdict verdict)
{
	unsigned int hits = 0;
	struct hp_rng rng;

	hp_rng_seed(&rng, 7);
	for (unsigned int t = 0; t < 200; t++) {
		double arm[7], base[7], control[7];
		struct hp_probe_interval ratio;

		for (unsigned int i = 0; i < 7; i++) {
			base[i] = 100 + noise(&rng, 3);
			control[i] = 100 + noise(&rng, 3);
			arm[i] = effect * (100 + noise(&rng, 3));
		}
		ratio = hp_stats_ratio(arm, base, 7, t);
		hits += hp_stats_verdict(&ratio,
					 hp_stats_floor(base, control, 7, t)) ==
			verdict;
	}
	return hits;
}

START_TEST(equal_arms_are_indistinguishable)
{
	ck_assert_uint_ge(told(1, HP_PROBE_INDISTINGUISHABLE), 190);
}
END_TEST

START_TEST(clear_effects_are_told)
{
	ck_assert_uint_ge(told(0.80, HP_PROBE_FASTER), 190);
	ck_assert_uint_ge(told(1.25, HP_PROBE_SLOWER), 190);
}
END_TEST

START_TEST(no_verdict_without_a_floor)
{
	struct hp_probe_interval ratio = {0.5, 0.4, 0.6};

	ck_assert_int_eq(hp_stats_verdict(&ratio, NAN), HP_PROBE_UNVERIFIED);
	ck_assert_int_eq(hp_stats_verdict(&ratio, 0.6),
			 HP_PROBE_INDISTINGUISHABLE);
	ck_assert_int_eq(hp_stats_verdict(&ratio, 0.1), HP_PROBE_FASTER);
}
END_TEST

START_TEST(unknown_ratio_is_unverified)
{
	struct hp_probe_interval ratio = {NAN, NAN, NAN};

	ck_assert_int_eq(hp_stats_verdict(&ratio, 0.01), HP_PROBE_UNVERIFIED);
}
END_TEST

static Suite *stats_suite(void)
{
	Suite *suite = suite_create("stats");
	TCase *tcase = tcase_create("stats");

	/* for valgrind's sake */
	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, sorts_whatever_order);
	tcase_add_test(tcase, quantiles_lie_between_neighbours);
	tcase_add_test(tcase, summary_of_nothing_is_not_known);
	tcase_add_test(tcase, summary_leaves_out_what_is_not_known);
	tcase_add_test(tcase, ratio_is_paired);
	tcase_add_test(tcase, incomplete_pairs_are_left_out);
	tcase_add_test(tcase, two_pairs_tell_nothing);
	tcase_add_test(tcase, same_seed_same_interval);
	tcase_add_test(tcase, difference_takes_the_median_of_differences);
	tcase_add_test(tcase, interval_holds_the_truth_nine_times_of_ten);
	tcase_add_test(tcase, equal_arms_are_indistinguishable);
	tcase_add_test(tcase, clear_effects_are_told);
	tcase_add_test(tcase, no_verdict_without_a_floor);
	tcase_add_test(tcase, unknown_ratio_is_unverified);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(stats_suite());
}
