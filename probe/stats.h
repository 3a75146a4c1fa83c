/* SPDX-License-Identifier: MIT */
/*
 * stats.h - medians, intervals and verdicts; pure
 *
 * NAN stands for "not known" throughout and comes out wherever it went in or
 * where there was too little to go by. Needs nothing of libm, which a preloaded
 * library should not bring into every process.
 */
#ifndef HP_PROBE_STATS_H
#define HP_PROBE_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "libhp/common.h"
#include "probe/hp_probe.h"

/* most values a bootstrap takes: rounds, not chunks */
enum { HP_STATS_PAIRS_MAX = 256 };

/* the larger, the smaller of two; a NAN gives way to the other */
double hp_stats_larger(double a, double b);
double hp_stats_smaller(double a, double b);

/**
 * hp_stats_sort - ascending, in place
 * @values: none of them NAN
 * @n:      how many
 *
 * Heap sort: no recursion, no allocation.
 */
void hp_stats_sort(double *values, size_t n);

/**
 * hp_stats_quantile - linear between the neighbours (R's type 7)
 * @sorted: ascending
 * @n:      how many
 * @p:      0 .. 1
 *
 * Return: the quantile; NAN if @n is 0.
 */
double hp_stats_quantile(const double *sorted, size_t n, double p);

/**
 * hp_stats_median - the middle one
 * @values: sorted in place
 * @n:      how many
 *
 * Return: the median; NAN if @n is 0.
 */
double hp_stats_median(double *values, size_t n);

/**
 * hp_stats_summary - median, quartiles and least
 * @values: reordered, NANs left out
 * @n:      how many; none that is known gives NANs
 */
struct hp_probe_summary hp_stats_summary(double *values, size_t n);

/**
 * hp_stats_interval - median of @values with its 95 % bootstrap interval
 * @values: at most HP_STATS_PAIRS_MAX; reordered, NANs left out
 * @n:      how many; fewer than three give NANs
 * @seed:   of the bootstrap
 */
struct hp_probe_interval hp_stats_interval(double *values, size_t n,
					   uint64_t seed);

/**
 * hp_stats_ratio - median of the paired ratios @arm[i] / @base[i]
 * @arm:  one value per round
 * @base: its partner of the same round
 * @n:    rounds, at most HP_STATS_PAIRS_MAX; pairs with a NAN are left out
 * @seed: of the bootstrap
 *
 * Return: the median with its 95 % bootstrap interval; NANs with fewer than
 * three whole pairs.
 */
struct hp_probe_interval hp_stats_ratio(const double *arm, const double *base,
					size_t n, uint64_t seed);

/**
 * hp_stats_difference - median of the paired differences @a[i] - @b[i]
 *
 * As hp_stats_ratio().
 */
struct hp_probe_interval hp_stats_difference(const double *a, const double *b,
					     size_t n, uint64_t seed);

/**
 * hp_stats_floor - smallest relative effect that a comparison can tell
 * @base:    values of one arm, one per round
 * @control: of a second arm of the same kind
 * @n:       rounds
 * @seed:    of the bootstrap
 *
 * The larger of two estimates: how far the interval of control/base strays
 * from 1, and twice the standard error of their median, from how much the
 * ratios scatter. The second does not depend on the two arms agreeing.
 *
 * Return: the floor, e.g. 0.03; NAN with fewer than three whole pairs.
 */
double hp_stats_floor(const double *base, const double *control, size_t n,
		      uint64_t seed);

/**
 * hp_stats_verdict - may a ratio be called a difference?
 * @ratio: below 1 is faster
 * @floor: of hp_stats_floor(); NAN allows no conclusion
 *
 * A difference is one whose interval excludes 1 and whose value lies outside
 * the floor.
 *
 * Return: faster, slower or indistinguishable; unverified if either is NAN.
 */
enum hp_probe_verdict hp_stats_verdict(const struct hp_probe_interval *ratio,
				       double floor);

#endif
