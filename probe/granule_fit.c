/* SPDX-License-Identifier: MIT */
/*
 * granule_fit.c - translation levels that explain one sweep
 */
#include "probe/granule_fit.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"

/*
 * All in octaves. The hardest pair to tell apart is 1 against 4/3 (0.415):
 * spacing 3/4 G against G.
 */
#define TOLERANCE 0.2
#define ROOM_BELOW 0.7
#define ROOM_ABOVE 1.0

#define VOTES_MIN 4
#define SIDE_MIN 2
#define RIVAL_MARGIN 2
#define GRANULES_MAX 40

struct evidence {
	double spacing, first, last;
	size_t len;
	struct hp_granule_step steps[HP_GRANULE_STEPS_MAX];
	bool used[HP_GRANULE_STEPS_MAX];
};

struct evidences {
	size_t len;
	struct evidence at[HP_GRANULE_CURVES_MAX];
};

/* one (granule, entries) pair against all curves */
struct guess {
	double granule, entries;
	unsigned int votes, against, below, above;
	signed char match[HP_GRANULE_CURVES_MAX];
};

static double octaves(double a, double b)
{
	return fabs(log2(a / b));
}

static void evidence_gather(const struct hp_granule_sweep *sweep,
			    struct evidences *all)
{
	memset(all, 0, sizeof(*all));
	for (size_t i = 0; i < sweep->len && i < HP_GRANULE_CURVES_MAX; i++) {
		const struct hp_granule_curve *c = &sweep->curves[i];
		struct evidence *e = &all->at[all->len];

		if (!c->len)
			continue;
		e->spacing = (double)c->spacing;
		e->first = (double)c->points[0].blocks;
		e->last = (double)c->points[c->len - 1].blocks;
		e->len = hp_granule_steps_find(c, e->steps);
		all->len++;
	}
}

/* blocks of this spacing that one entry serves */
static double share(const struct evidence *e, double granule)
{
	return fmax(1, granule / e->spacing);
}

/*
 * Whether blocks of this spacing fill the sets of any index function evenly:
 * neighbouring entries, or an odd multiple of the granule.
 */
static bool is_even(const struct evidence *e, double granule)
{
	double times = e->spacing / granule;

	return times < 2 || fmod(times, 2) == 1;
}

static bool in_view(const struct evidence *e, double from, double to)
{
	return log2(from / e->first) >= ROOM_BELOW &&
	       log2(e->last / to) >= ROOM_ABOVE;
}

static int nearest(const struct evidence *e, double knee)
{
	int best = -1;

	for (size_t i = 0; i < e->len; i++) {
		double d = octaves(e->steps[i].knee, knee);

		if (e->used[i] || d > TOLERANCE)
			continue;
		if (best < 0 || d < octaves(e->steps[best].knee, knee))
			best = (int)i;
	}
	return best;
}

static void judge_even(struct guess *g, const struct evidence *e, size_t c)
{
	double knee = g->entries * share(e, g->granule);

	g->match[c] = (signed char)nearest(e, knee);
	if (g->match[c] < 0) {
		g->against += in_view(e, knee, knee);
		return;
	}
	g->votes++;
	g->below += e->spacing < g->granule;
	g->above += e->spacing > g->granule;
}

/* steps of a level already explained may hide this one, so they count too */
static void judge_conflicting(struct guess *g, const struct evidence *e)
{
	double to = g->entries;
	double from = fmax(1, to * g->granule / e->spacing);

	if (!in_view(e, from, to))
		return;
	for (size_t i = 0; i < e->len; i++) {
		double knee = e->steps[i].knee;

		if (log2(knee / from) >= -TOLERANCE &&
		    log2(knee / to) <= TOLERANCE)
			return;
	}
	g->against++;
}

static struct guess judge(const struct evidences *all, double granule,
			  double entries)
{
	struct guess g = {.granule = granule, .entries = entries};

	for (size_t c = 0; c < all->len; c++) {
		const struct evidence *e = &all->at[c];

		g.match[c] = -1;
		if (is_even(e, granule))
			judge_even(&g, e, c);
		else
			judge_conflicting(&g, e);
	}
	return g;
}

static int score(const struct guess *g)
{
	return (int)g->votes - 2 * (int)g->against;
}

static unsigned int shared(const struct guess *a, const struct guess *b,
			   size_t curves)
{
	unsigned int n = 0;

	for (size_t c = 0; c < curves; c++)
		n += a->match[c] >= 0 && a->match[c] == b->match[c];
	return n;
}

/*
 * Best entry count for @granule. With @like only guesses that rest on mostly
 * the same steps are looked at: its rivals.
 */
static struct guess best_for(const struct evidences *all, double granule,
			     const struct guess *like)
{
	struct guess best = {.granule = granule, .against = INT8_MAX};

	for (size_t c = 0; c < all->len; c++) {
		const struct evidence *e = &all->at[c];

		for (size_t i = 0; i < e->len; i++) {
			struct guess g = judge(all, granule,
					       e->steps[i].knee /
						       share(e, granule));

			if (like && 2 * shared(&g, like, all->len) <
					    like->votes)
				continue;
			if (score(&g) > score(&best))
				best = g;
		}
	}
	return best;
}

static size_t granules(const struct evidences *all, double base,
		       double out[GRANULES_MAX])
{
	double top = base;
	size_t n = 0;

	for (size_t c = 0; c < all->len; c++)
		top = fmax(top, all->at[c].spacing);
	for (double g = base; g <= 2 * top && n < GRANULES_MAX; g *= 2)
		out[n++] = g;
	return n;
}

static struct guess best_of_all(const struct evidences *all, double base)
{
	double sizes[GRANULES_MAX];
	size_t n = granules(all, base, sizes);
	struct guess best = best_for(all, sizes[0], NULL);

	for (size_t i = 1; i < n; i++) {
		struct guess g = best_for(all, sizes[i], NULL);

		if (score(&g) > score(&best))
			best = g;
	}
	return best;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* middle onset, knee and full of the matched steps, in entries */
static struct hp_granule_step consensus(const struct evidences *all,
					const struct guess *g)
{
	double onset[HP_GRANULE_CURVES_MAX], knee[HP_GRANULE_CURVES_MAX];
	double full[HP_GRANULE_CURVES_MAX], ns[HP_GRANULE_CURVES_MAX];
	size_t n = 0;

	for (size_t c = 0; c < all->len; c++) {
		const struct evidence *e = &all->at[c];

		if (g->match[c] < 0)
			continue;
		const struct hp_granule_step *s = &e->steps[g->match[c]];

		onset[n] = s->onset / share(e, g->granule);
		knee[n] = s->knee / share(e, g->granule);
		full[n] = s->full / share(e, g->granule);
		ns[n++] = s->ns;
	}
	return (struct hp_granule_step){.onset = median(onset, n),
					.knee = median(knee, n),
					.full = median(full, n),
					.ns = median(ns, n)};
}

/* the smallest and largest granule that explain the steps of @g as well */
static struct hp_granule_range rivals(const struct evidences *all, double base,
				      const struct guess *g)
{
	struct hp_granule_range r = {g->granule, g->granule, g->granule};
	double sizes[GRANULES_MAX];
	size_t n = granules(all, base, sizes);

	for (size_t i = 0; i < n; i++) {
		struct guess other = best_for(all, sizes[i], g);

		if (other.against >= g->against + RIVAL_MARGIN)
			continue;
		r.lo = fmin(r.lo, sizes[i]);
		r.hi = i == n - 1 ? INFINITY : fmax(r.hi, sizes[i]);
	}
	if (r.lo < r.hi || g->below < SIDE_MIN || g->above < SIDE_MIN)
		r.value = 0;
	return r;
}

static struct hp_granule_range scaled(const struct hp_granule_step *s,
				      double by)
{
	return (struct hp_granule_range){s->knee * by, s->onset * by,
					 s->full * by};
}

static struct hp_granule_fit fit_make(const struct evidences *all, double base,
				      const struct guess *g)
{
	struct hp_granule_step mid = consensus(all, g);
	struct hp_granule_fit fit = {.entries = scaled(&mid, 1),
				     .reach = scaled(&mid, g->granule),
				     .granule = rivals(all, base, g),
				     .ns = mid.ns,
				     .votes = g->votes,
				     .against = g->against};

	if (fit.granule.value > 0)
		return fit;
	/* which of the two is measured depends on the granule not known */
	fit.entries = (struct hp_granule_range){0, 0, INFINITY};
	if (g->above || g->below < SIDE_MIN)
		fit.reach = (struct hp_granule_range){0, 0, INFINITY};
	return fit;
}

static void use_up(struct evidences *all, const struct guess *g)
{
	for (size_t c = 0; c < all->len; c++)
		if (g->match[c] >= 0)
			all->at[c].used[g->match[c]] = true;
}

/* one curve in twelve may err before the whole level is given up */
static bool is_credible(const struct guess *g)
{
	return g->votes >= VOTES_MIN && g->against <= g->votes / 12;
}

static int by_knee(const void *a, const void *b)
{
	const struct hp_granule_fit *x = a, *y = b;

	return (x->reach.value > y->reach.value) -
	       (x->reach.value < y->reach.value);
}

size_t hp_granule_fit_sweep(const struct hp_granule_sweep *sweep, size_t base,
			    struct hp_granule_fit out[HP_GRANULE_LEVELS_MAX])
{
	struct evidences all;
	size_t n = 0;

	evidence_gather(sweep, &all);
	while (n < HP_GRANULE_LEVELS_MAX) {
		struct guess g = best_of_all(&all, (double)base);

		if (!is_credible(&g))
			break;
		out[n++] = fit_make(&all, (double)base, &g);
		use_up(&all, &g);
	}
	qsort(out, n, sizeof(*out), by_knee);
	return n;
}
