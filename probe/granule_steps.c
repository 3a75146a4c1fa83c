/* SPDX-License-Identifier: MIT */
/*
 * granule_steps.c - steps in one latency curve
 *
 * The curve is cut into constant pieces by least squares with a price per
 * piece (optimal partitioning), weighted by the intervals of the points. Long
 * pieces are stretches; short ones are the ramp between two of them.
 */
#include "probe/granule_steps.h"

#include <math.h>
#include <stdbool.h>

#include "libhp/common.h"
#include "probe/octave.h"

#define MIN_POINTS 3
#define MIN_OCTAVES 0.45
/* a rest on a ramp is shorter, and the rise goes on by at least the share */
#define REST_OCTAVES 1.0
#define REST_SHARE 0.15
#define MIN_NS 0.5
#define MIN_SHARE 0.2
#define Z95 1.96
#define LN2 0.693147180559945309417
/* where uneven sets or pages begin to miss, not where the last one does */
#define KNEE_SHARE 0.3
/*
 * An interval can be too good to be true (five equal samples, say), and a
 * stretch is never quite level: page table lines fall out of a cache.
 */
#define SIGMA_FLOOR_NS 0.05
#define SIGMA_FLOOR_SHARE 0.05

struct piece {
	size_t first, end;
	double mean, sigma;
};

struct sums {
	double w[HP_GRANULE_POINTS_MAX + 1];
	double wy[HP_GRANULE_POINTS_MAX + 1];
	double wyy[HP_GRANULE_POINTS_MAX + 1];
};

static double point_sigma(const struct hp_granule_point *p)
{
	double floor = SIGMA_FLOOR_NS + SIGMA_FLOOR_SHARE * fabs(p->ns);

	return hp_larger((p->hi - p->lo) / (2 * Z95), floor);
}

static void sums_fill(struct sums *s, const struct hp_granule_curve *curve)
{
	s->w[0] = s->wy[0] = s->wyy[0] = 0;
	for (size_t i = 0; i < curve->len; i++) {
		double sigma = point_sigma(&curve->points[i]);
		double y = curve->points[i].ns, w = 1 / (sigma * sigma);

		s->w[i + 1] = s->w[i] + w;
		s->wy[i + 1] = s->wy[i] + w * y;
		s->wyy[i + 1] = s->wyy[i] + w * y * y;
	}
}

static double misfit(const struct sums *s, size_t first, size_t end)
{
	double w = s->w[end] - s->w[first], wy = s->wy[end] - s->wy[first];

	return s->wyy[end] - s->wyy[first] - wy * wy / w;
}

/* start of the piece that best ends at @end; extends @best */
static size_t best_start(const struct sums *s, double *best, size_t end,
			 double price)
{
	size_t start = 0;

	best[end] = INFINITY;
	for (size_t first = 0; first < end; first++) {
		double cost = best[first] + misfit(s, first, end) + price;

		if (cost < best[end]) {
			best[end] = cost;
			start = first;
		}
	}
	return start;
}

static struct piece piece_make(const struct sums *s, size_t first, size_t end)
{
	double w = s->w[end] - s->w[first];

	return (struct piece){.first = first,
			      .end = end,
			      .mean = (s->wy[end] - s->wy[first]) / w,
			      .sigma = 1 / hp_octave_sqrt(w)};
}

static size_t cut(const struct hp_granule_curve *curve, struct piece *out)
{
	double best[HP_GRANULE_POINTS_MAX + 1] = {0};
	size_t start[HP_GRANULE_POINTS_MAX + 1];
	double price = 3 * LN2 * hp_octave_log((double)curve->len);
	struct sums s;
	size_t n = 0;

	sums_fill(&s, curve);
	for (size_t end = 1; end <= curve->len; end++)
		start[end] = best_start(&s, best, end, price);
	for (size_t end = curve->len; end > 0; end = start[end])
		n++;
	for (size_t end = curve->len, i = n; end > 0; end = start[end])
		out[--i] = piece_make(&s, start[end], end);
	return n;
}

static double width(const struct hp_granule_curve *curve, const struct piece *p)
{
	return hp_octave_log((double)curve->points[p->end - 1].blocks /
			     (double)curve->points[p->first].blocks);
}

static bool is_stretch(const struct hp_granule_curve *curve,
		       const struct piece *p)
{
	return p->end - p->first >= MIN_POINTS &&
	       width(curve, p) >= MIN_OCTAVES;
}

static bool is_above(const struct piece *low, const struct piece *high)
{
	double chance = 4 * hp_octave_sqrt(low->sigma * low->sigma +
					   high->sigma * high->sigma);

	return high->mean - low->mean > hp_larger(chance, MIN_NS / 4);
}

static bool is_rise(const struct piece *low, const struct piece *high)
{
	double rise = high->mean - low->mean;

	return is_above(low, high) && rise > MIN_NS &&
	       rise > MIN_SHARE * high->mean;
}

/* first block count at which the curve stays above @level, interpolated */
static double crossing(const struct hp_granule_curve *curve, size_t from,
		       size_t to, double level)
{
	const struct hp_granule_point *p = curve->points;
	size_t i = to;

	while (i > from && p[i - 1].ns >= level)
		i--;
	if (i == from)
		return (double)p[from].blocks;
	double run = p[i].ns - p[i - 1].ns;
	double part = run > 0 ? (level - p[i - 1].ns) / run : 0.5;
	double ratio = (double)p[i].blocks / (double)p[i - 1].blocks;

	part = hp_smaller(hp_larger(part, 0), 1);
	return (double)p[i - 1].blocks *
	       hp_octave_exp(part * hp_octave_log(ratio));
}

static struct hp_granule_step step_make(const struct hp_granule_curve *curve,
					const struct piece *low,
					const struct piece *high)
{
	double level = low->mean + KNEE_SHARE * (high->mean - low->mean);

	return (struct hp_granule_step){
		.onset = (double)curve->points[low->end - 1].blocks,
		.knee = crossing(curve, low->end - 1, high->first, level),
		.full = (double)curve->points[high->first].blocks,
		.ns = high->mean - low->mean};
}

/*
 * The curve may end before it is level again, because data and page table
 * lines outgrow the cache together. A sharp jump that all later points stay
 * above is a step all the same: its first even piece stands for the stretch.
 */
static bool is_open_end(const struct hp_granule_curve *curve,
			const struct piece *low, const struct piece *p)
{
	struct piece tail = {.first = p->first, .end = curve->len};

	return is_stretch(curve, &tail) && p->end - p->first > 1 &&
	       p->first - low->end < MIN_POINTS - 1;
}

static size_t stretches(const struct hp_granule_curve *curve,
			struct piece out[HP_GRANULE_POINTS_MAX])
{
	size_t n = cut(curve, out), kept = 0, i, next = 0;

	for (i = 0; i < n; i++) {
		if (!is_stretch(curve, &out[i]))
			continue;
		out[kept++] = out[i];
		next = i + 1;
	}
	for (i = next; kept && i < n; i++)
		if (is_open_end(curve, &out[kept - 1], &out[i])) {
			out[kept++] = out[i];
			break;
		}
	return kept;
}

/*
 * Last stretch of the rise that starts at stretch @low: a short one that the
 * curve leaves upwards again is a rest on a long ramp (sets filling one after
 * the other), not a plateau of its own.
 */
static size_t rise_end(const struct hp_granule_curve *curve,
		       const struct piece *s, size_t n, size_t low)
{
	size_t high = low + 1;

	if (!is_above(&s[low], &s[high]))
		return high;
	while (high + 1 < n && width(curve, &s[high]) < REST_OCTAVES &&
	       s[high + 1].mean - s[high].mean >
		       REST_SHARE * (s[high].mean - s[low].mean))
		high++;
	return high;
}

size_t hp_granule_steps_find(const struct hp_granule_curve *curve,
			     struct hp_granule_step out[HP_GRANULE_STEPS_MAX])
{
	struct piece s[HP_GRANULE_POINTS_MAX];
	size_t n, found = 0, high;

	if (curve->len < 2 * MIN_POINTS || curve->len > HP_GRANULE_POINTS_MAX)
		return 0;
	n = stretches(curve, s);
	for (size_t i = 0; i + 1 < n && found < HP_GRANULE_STEPS_MAX;
	     i = high) {
		high = rise_end(curve, s, n, i);
		if (is_rise(&s[i], &s[high]))
			out[found++] = step_make(curve, &s[i], &s[high]);
	}
	return found;
}
