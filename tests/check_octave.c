/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "probe/octave.h"
#include "tests/suite.h"

static bool close_to(double a, double b)
{
	return fabs(a - b) <= 4e-15 * fmax(1, fabs(b));
}

START_TEST(agrees_with_libm)
{
	for (double x = 1e-300; x < 1e300; x *= 1.7)
		ck_assert_msg(close_to(hp_octave_log(x), log2(x)), "%g", x);
	for (double x = 0.25; x < 4; x += 0.001)
		ck_assert_msg(close_to(hp_octave_log(x), log2(x)), "%g", x);
	for (double x = -60; x < 60; x += 0.01)
		ck_assert_msg(close_to(hp_octave_exp(x) / exp2(x), 1), "%g", x);
	for (double x = 0.001; x < 1e9; x *= 1.3)
		ck_assert_msg(close_to(hp_octave_sqrt(x) / sqrt(x), 1), "%g",
			      x);
}
END_TEST

START_TEST(whole_octaves_are_exact)
{
	for (int k = -1022; k < 1024; k++) {
		ck_assert(hp_octave_exp(k) == ldexp(1, k));
		ck_assert(hp_octave_log(ldexp(1, k)) == k);
	}
}
END_TEST

START_TEST(ends_of_the_scale)
{
	ck_assert(isnan(hp_octave_log(-1)));
	ck_assert(isnan(hp_octave_log(NAN)));
	ck_assert(hp_octave_log(0) == -INFINITY);
	ck_assert(hp_octave_log(INFINITY) == INFINITY);
	ck_assert(isnan(hp_octave_exp(NAN)));
	ck_assert(hp_octave_exp(-INFINITY) == 0);
	ck_assert(hp_octave_exp(INFINITY) == INFINITY);
	ck_assert(hp_octave_exp(1024) == INFINITY);
	ck_assert(hp_octave_sqrt(0) == 0);
	ck_assert(hp_octave_sqrt(INFINITY) == INFINITY);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("octave");
	TCase *tcase = tcase_create("octave");

	tcase_add_test(tcase, agrees_with_libm);
	tcase_add_test(tcase, whole_octaves_are_exact);
	tcase_add_test(tcase, ends_of_the_scale);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
