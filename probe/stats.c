/* SPDX-License-Identifier: MIT */
#include "probe/stats.h"

#include <math.h>

#include "probe/rng.h"

enum { RESAMPLES = 2000, FEWEST_PAIRS = 3 };

double hp_stats_larger(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

double hp_stats_smaller(double a, double b)
{
	return isnan(a) || b < a ? b : a;
}

static double distance(double a, double b)
{
	return a < b ? b - a : a - b;
}

/* Newton's method: @n is a count, and four digits are plenty. */
static double square_root(double n)
{
	double root = n;

	for (unsigned int i = 0; i < 40; i++)
		root = (root + n / root) / 2;
	return root;
}

static void sift_down(double *values, size_t root, size_t n)
{
	double held = values[root];
	size_t child;

	while ((child = 2 * root + 1) < n) {
		if (child + 1 < n && values[child] < values[child + 1])
			child++;
		if (values[child] <= held)
			break;
		values[root] = values[child];
		root = child;
	}
	values[root] = held;
}

void hp_stats_sort(double *values, size_t n)
{
	for (size_t i = n / 2; i-- > 0;)
		sift_down(values, i, n);
	for (size_t end = n; end > 1; end--) {
		double largest = values[0];

		values[0] = values[end - 1];
		values[end - 1] = largest;
		sift_down(values, 0, end - 1);
	}
}

double hp_stats_quantile(const double *sorted, size_t n, double p)
{
	double place = p * (double)(n ? n - 1 : 0);
	size_t below = (size_t)place;

	if (!n)
		return NAN;
	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] +
	       (place - (double)below) * (sorted[below + 1] - sorted[below]);
}

double hp_stats_median(double *values, size_t n)
{
	hp_stats_sort(values, n);
	return hp_stats_quantile(values, n, 0.5);
}

static size_t drop_unknown(double *values, size_t n)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (isfinite(values[i]))
			values[known++] = values[i];
	return known;
}

struct hp_probe_summary hp_stats_summary(double *values, size_t n)
{
	n = drop_unknown(values, n);
	hp_stats_sort(values, n);
	return (struct hp_probe_summary){
		.median = hp_stats_quantile(values, n, 0.5),
		.q1 = hp_stats_quantile(values, n, 0.25),
		.q3 = hp_stats_quantile(values, n, 0.75),
		.min = n ? values[0] : NAN,
	};
}

static double resampled_median(const double *values, size_t n,
			       struct hp_rng *rng)
{
	double drawn[HP_STATS_PAIRS_MAX];

	for (size_t i = 0; i < n; i++)
		drawn[i] = values[hp_rng_below(rng, n)];
	return hp_stats_median(drawn, n);
}

struct hp_probe_interval hp_stats_interval(double *values, size_t n,
					   uint64_t seed)
{
	double medians[RESAMPLES];
	struct hp_rng rng;

	n = drop_unknown(values, n);
	if (n < FEWEST_PAIRS)
		return (struct hp_probe_interval){NAN, NAN, NAN};
	hp_rng_seed(&rng, seed);
	for (size_t i = 0; i < RESAMPLES; i++)
		medians[i] = resampled_median(values, n, &rng);
	hp_stats_sort(medians, RESAMPLES);
	return (struct hp_probe_interval){
		.value = hp_stats_median(values, n),
		.lo = hp_stats_quantile(medians, RESAMPLES, 0.025),
		.hi = hp_stats_quantile(medians, RESAMPLES, 0.975),
	};
}

static double quotient(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

static double difference(double a, double b)
{
	return a - b;
}

static size_t pair_up(const double *a, const double *b, size_t n,
		      double (*combine)(double, double), double *out)
{
	n = hp_min(n, HP_STATS_PAIRS_MAX);
	for (size_t i = 0; i < n; i++)
		out[i] = combine(a[i], b[i]);
	return drop_unknown(out, n);
}

struct hp_probe_interval hp_stats_ratio(const double *arm, const double *base,
					size_t n, uint64_t seed)
{
	double ratios[HP_STATS_PAIRS_MAX];
	size_t whole = pair_up(arm, base, n, quotient, ratios);

	return hp_stats_interval(ratios, whole, seed);
}

struct hp_probe_interval hp_stats_difference(const double *a, const double *b,
					     size_t n, uint64_t seed)
{
	double differences[HP_STATS_PAIRS_MAX];
	size_t whole = pair_up(a, b, n, difference, differences);

	return hp_stats_interval(differences, whole, seed);
}

/*
 * Standard error of the median of a few values around 1, from their median
 * distance to it: 1.4826 makes that a standard deviation, 1.2533 turns the
 * error of a mean into that of a median (both for normal noise).
 */
static double median_error(double *values, size_t n)
{
	double middle = hp_stats_median(values, n);

	for (size_t i = 0; i < n; i++)
		values[i] = distance(values[i], middle);
	return 1.4826 * 1.2533 * hp_stats_median(values, n) /
	       square_root((double)n);
}

double hp_stats_floor(const double *base, const double *control, size_t n,
		      uint64_t seed)
{
	struct hp_probe_interval ratio = hp_stats_ratio(control, base, n, seed);
	double ratios[HP_STATS_PAIRS_MAX], strayed;
	size_t whole = pair_up(control, base, n, quotient, ratios);

	if (isnan(ratio.value))
		return NAN;
	strayed = hp_stats_larger(distance(ratio.lo, 1), distance(ratio.hi, 1));
	return hp_stats_larger(strayed, 2 * median_error(ratios, whole));
}

enum hp_probe_verdict hp_stats_verdict(const struct hp_probe_interval *ratio,
				       double floor)
{
	if (isnan(ratio->value) || isnan(floor))
		return HP_PROBE_UNVERIFIED;
	if (ratio->hi < 1 && 1 - ratio->value > floor)
		return HP_PROBE_FASTER;
	if (ratio->lo > 1 && ratio->value - 1 > floor)
		return HP_PROBE_SLOWER;
	return HP_PROBE_INDISTINGUISHABLE;
}
