/* SPDX-License-Identifier: MIT */
/*
 * check_granule_limits.c - what hp_granule_infer() is given and cannot use
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "probe/hp_granule.h"
#include "tests/suite.h"

#define PAGE 4096

static const struct hp_granule_claim plain = {PAGE, PAGE, PAGE, true, false};

START_TEST(nothing_measured_is_inconclusive)
{
	struct hp_granule_claim claim = plain;
	struct hp_granule_sweep none = {0};
	struct hp_granule_result r;

	ck_assert_int_eq(hp_granule_infer(&none, &none, &claim, &r), 0);
	ck_assert_int_eq(r.diagnosis, HP_GRANULE_INCONCLUSIVE);
	ck_assert_uint_eq(r.len, 0);
}
END_TEST

/* two points at these numbers of blocks */
static int infer_points(size_t one, size_t two)
{
	struct hp_granule_point points[] = {{one, 1, 1, 1}, {two, 1, 1, 1}};
	struct hp_granule_curve curve = {PAGE, 2, points};
	struct hp_granule_sweep sweep = {1, &curve};
	struct hp_granule_claim claim = plain;
	struct hp_granule_result r;

	return hp_granule_infer(&sweep, &sweep, &claim, &r);
}

START_TEST(refuses_what_is_no_number)
{
	struct hp_granule_point point = {1, 1, 1, 1};
	struct hp_granule_curve curve = {PAGE, 1, &point};
	struct hp_granule_sweep sweep = {1, &curve};
	struct hp_granule_claim claim = plain;
	struct hp_granule_result r;

	point.ns = NAN;
	ck_assert_int_eq(hp_granule_infer(&sweep, &sweep, &claim, &r), -EINVAL);
	point.ns = 1;
	point.hi = INFINITY;
	ck_assert_int_eq(hp_granule_infer(&sweep, &sweep, &claim, &r), -EINVAL);
	point.hi = 1;
	curve.spacing = 0;
	ck_assert_int_eq(hp_granule_infer(&sweep, &sweep, &claim, &r), -EINVAL);
}
END_TEST

START_TEST(refuses_what_it_cannot_hold)
{
	struct hp_granule_claim claim = plain;
	struct hp_granule_sweep none = {0};
	struct hp_granule_sweep many = {.len = HP_GRANULE_CURVES_MAX + 1};
	struct hp_granule_result r;

	ck_assert_int_eq(hp_granule_infer(&many, &none, &claim, &r), -EINVAL);
	ck_assert_int_eq(hp_granule_infer(&none, &many, &claim, &r), -EINVAL);
	ck_assert_int_eq(infer_points(0, 2), -EINVAL);
	ck_assert_int_eq(infer_points(2, 2), -EINVAL);
	ck_assert_int_eq(infer_points(2, 1), -EINVAL);
	ck_assert_int_eq(infer_points(1, 2), 0);
	claim.claimed = 3 * PAGE;
	ck_assert_int_eq(hp_granule_infer(&none, &none, &claim, &r), -EINVAL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("granule limits");
	TCase *tcase = tcase_create("limits");

	tcase_add_test(tcase, nothing_measured_is_inconclusive);
	tcase_add_test(tcase, refuses_what_is_no_number);
	tcase_add_test(tcase, refuses_what_it_cannot_hold);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
