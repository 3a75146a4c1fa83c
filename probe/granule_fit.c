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
#define ROOM_ABOVE 0.8
#define ROOM_ABOVE_UNEVEN 1.2
#define RAMP_OCTAVES 2.0

/* how much of the entries blocks that fill sets by chance can use */
#define MIXED_GRANULES 8
#define MIXED_LEAST 0.6

#define VOTES_MIN 4
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

/* what a curve says to a guess; from 0 on: agrees, with that step */
enum { SILENT = -1, CONTRADICTS = -2 };

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
 * How evenly blocks of this spacing fill the sets of a linear index. Even:
 * neighbouring entries, or an odd multiple of the granule. Mixed: the line
 * wanders over many granules of its block (hp_granule_plan_offset), so the
 * sets fill by chance. Otherwise part of them may stay empty.
 */
enum filling { FILL_EVEN, FILL_MIXED, FILL_PART };

static enum filling filling(const struct evidence *e, double granule)
{
	double times = e->spacing / granule;
	double wander = (double)((size_t)e->spacing & -(size_t)e->spacing);

	if (times < 2 || fmod(times, 2) == 1)
		return FILL_EVEN;
	return wander >= MIXED_GRANULES * granule ? FILL_MIXED : FILL_PART;
}

/* the fewest blocks at which a curve can show a level of @entries */
static double least_knee(const struct evidence *e, const struct guess *g)
{
	switch (filling(e, g->granule)) {
	case FILL_EVEN:
		return g->entries * share(e, g->granule);
	case FILL_MIXED:
		return g->entries * MIXED_LEAST;
	default:
		return fmax(1, g->entries * g->granule / e->spacing);
	}
}

/* whether a step between the two would have a stretch on either side */
static bool in_view(const struct evidence *e, double granule, double from,
		    double to)
{
	bool even = filling(e, granule) == FILL_EVEN;
	double above = even ? ROOM_ABOVE : ROOM_ABOVE_UNEVEN;

	return log2(from / e->first) >= ROOM_BELOW &&
	       log2(e->last / to) >= above;
}

/* unused step closest to @to among those between the two */
static int step_between(const struct evidence *e, double from, double to)
{
	int best = SILENT;

	for (size_t i = 0; i < e->len; i++) {
		double knee = e->steps[i].knee;

		if (e->used[i] || log2(knee / from) < -TOLERANCE ||
		    log2(knee / to) > TOLERANCE)
			continue;
		if (best < 0 || octaves(knee, to) <
					octaves(e->steps[best].knee, to))
			best = (int)i;
	}
	return best;
}

static void judge_curve(struct guess *g, const struct evidence *e, size_t c)
{
	double to = g->entries * share(e, g->granule);
	double from = least_knee(e, g);
	int step = step_between(e, from, to);

	if (step < 0) {
		bool seen = in_view(e, g->granule, from, to);

		g->match[c] = seen ? CONTRADICTS : SILENT;
		g->against += seen;
		return;
	}
	g->match[c] = (signed char)step;
	g->votes += filling(e, g->granule) != FILL_PART;
	g->below += e->spacing < g->granule;
	g->above += e->spacing > g->granule;
}

static struct guess judge(const struct evidences *all, double granule,
			  double entries)
{
	struct guess g = {.granule = granule, .entries = entries};

	for (size_t c = 0; c < all->len; c++)
		judge_curve(&g, &all->at[c], c);
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

	memset(best.match, SILENT, sizeof(best.match));
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

		if (g->match[c] < 0 || filling(e, g->granule) != FILL_EVEN)
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

/* curves that contradict @other, or show a step only @like explains */
static unsigned int objections(const struct guess *other,
			       const struct guess *like, size_t curves)
{
	unsigned int n = 0;

	for (size_t c = 0; c < curves; c++)
		n += other->match[c] == CONTRADICTS ||
		     (like->match[c] >= 0 && other->match[c] != like->match[c]);
	return n;
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

		if (objections(&other, g, all->len) >=
		    g->against + RIVAL_MARGIN)
			continue;
		r.lo = fmin(r.lo, sizes[i]);
		r.hi = i == n - 1 ? INFINITY : fmax(r.hi, sizes[i]);
	}
	if (r.lo < r.hi)
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
	if (g->above)
		fit.reach = (struct hp_granule_range){0, 0, INFINITY};
	return fit;
}

static void use_up(struct evidences *all, const struct guess *g)
{
	for (size_t c = 0; c < all->len; c++)
		if (g->match[c] >= 0)
			all->at[c].used[g->match[c]] = true;
}

/* a step shortly before another is part of its ramp */
static bool has_puzzle(const struct evidence *e, int match)
{
	for (int i = 0; i < match; i++)
		if (!e->used[i] && log2(e->steps[match].knee /
					e->steps[i].knee) > RAMP_OCTAVES)
			return true;
	return false;
}

static unsigned int puzzles(const struct evidences *all, const struct guess *g)
{
	unsigned int n = 0;

	for (size_t c = 0; c < all->len; c++)
		n += has_puzzle(&all->at[c], g->match[c]);
	return n;
}

/*
 * Where a nearer level makes no sense, a farther one that seems to must not
 * be believed: pages of two sizes, say, are half there at every spacing.
 */
static void doubt(struct hp_granule_fit *fit, unsigned int unexplained)
{
	struct hp_granule_range open = {0, 0, INFINITY};

	fit->puzzles = unexplained;
	if (fit->puzzles <= fit->votes / 4)
		return;
	fit->entries = fit->reach = fit->granule = open;
}

/* one curve in six may err before the whole level is given up */
static bool is_credible(const struct guess *g)
{
	return g->votes >= VOTES_MIN && g->against <= g->votes / 6;
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
	struct guess g[HP_GRANULE_LEVELS_MAX];
	struct evidences all;
	size_t n = 0;

	evidence_gather(sweep, &all);
	while (n < HP_GRANULE_LEVELS_MAX) {
		g[n] = best_of_all(&all, (double)base);
		if (!is_credible(&g[n]))
			break;
		out[n] = fit_make(&all, (double)base, &g[n]);
		use_up(&all, &g[n++]);
	}
	for (size_t i = 0; i < n; i++)
		doubt(&out[i], puzzles(&all, &g[i]));
	qsort(out, n, sizeof(*out), by_knee);
	return n;
}
