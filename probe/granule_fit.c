/* SPDX-License-Identifier: MIT */
/*
 * granule_fit.c - translation levels that explain one sweep
 */
#include "probe/granule_fit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probe/granule_guess.h"
#include "probe/octave.h"

#define VOTES_MIN 4
#define EVEN_MIN 2
#define RIVAL_MARGIN 2
#define GRANULES_MAX 40
/* a step within so many octaves before another is part of its ramp */
#define RAMP_OCTAVES 2.0

static int score(const struct hp_granule_guess *g)
{
	return (int)g->votes - 2 * (int)g->against;
}

static unsigned int shared(const struct hp_granule_guess *a,
			   const struct hp_granule_guess *b, size_t curves)
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
static struct hp_granule_guess best_for(const struct hp_granule_evidence *all,
					double granule,
					const struct hp_granule_guess *like)
{
	struct hp_granule_guess best = {.granule = granule,
					.against = INT8_MAX};

	memset(best.match, HP_GRANULE_SILENT, sizeof(best.match));
	for (size_t c = 0; c < all->len; c++) {
		const struct hp_granule_witness *e = &all->at[c];

		for (size_t i = 0; i < e->len; i++) {
			struct hp_granule_guess g = hp_granule_guess_judge(
				all, granule,
				e->steps[i].knee /
					hp_granule_share(e, granule));

			if (like &&
			    2 * shared(&g, like, all->len) < like->votes)
				continue;
			if (score(&g) > score(&best))
				best = g;
		}
	}
	return best;
}

static size_t granules(const struct hp_granule_evidence *all, double base,
		       double out[GRANULES_MAX])
{
	double top = base;
	size_t n = 0;

	for (size_t c = 0; c < all->len; c++)
		top = hp_larger(top, all->at[c].spacing);
	for (double g = base; g <= 2 * top && n < GRANULES_MAX; g *= 2)
		out[n++] = g;
	return n;
}

static struct hp_granule_guess
best_of_all(const struct hp_granule_evidence *all, double base)
{
	double sizes[GRANULES_MAX];
	size_t n = granules(all, base, sizes);
	struct hp_granule_guess best = best_for(all, base, NULL);

	for (size_t i = 1; i < n; i++) {
		struct hp_granule_guess g = best_for(all, sizes[i], NULL);

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
static struct hp_granule_step consensus(const struct hp_granule_evidence *all,
					const struct hp_granule_guess *g)
{
	double onset[HP_GRANULE_CURVES_MAX], knee[HP_GRANULE_CURVES_MAX];
	double full[HP_GRANULE_CURVES_MAX], ns[HP_GRANULE_CURVES_MAX];
	size_t n = 0;

	for (size_t c = 0; c < all->len; c++) {
		const struct hp_granule_witness *e = &all->at[c];

		if (g->match[c] < 0 || hp_granule_filling_of(e, g->granule) !=
					       HP_GRANULE_FILL_EVEN)
			continue;
		const struct hp_granule_step *s = &e->steps[g->match[c]];

		onset[n] = s->onset / hp_granule_share(e, g->granule);
		knee[n] = s->knee / hp_granule_share(e, g->granule);
		full[n] = s->full / hp_granule_share(e, g->granule);
		ns[n++] = s->ns;
	}
	return (struct hp_granule_step){.onset = median(onset, n),
					.knee = median(knee, n),
					.full = median(full, n),
					.ns = median(ns, n)};
}

/* curves that contradict @other, or show a step only @like explains */
static unsigned int objections(const struct hp_granule_guess *other,
			       const struct hp_granule_guess *like,
			       size_t curves)
{
	unsigned int n = 0;

	for (size_t c = 0; c < curves; c++)
		n += other->match[c] == HP_GRANULE_CONTRADICTS ||
		     (like->match[c] >= 0 && other->match[c] != like->match[c]);
	return n;
}

/* the smallest and largest granule that explain the steps of @g as well */
static struct hp_granule_range rivals(const struct hp_granule_evidence *all,
				      double base,
				      const struct hp_granule_guess *g)
{
	struct hp_granule_range r = {g->granule, g->granule, g->granule};
	double sizes[GRANULES_MAX];
	size_t n = granules(all, base, sizes);

	for (size_t i = 0; i < n; i++) {
		struct hp_granule_guess other = best_for(all, sizes[i], g);

		if (objections(&other, g, all->len) >=
		    g->against + RIVAL_MARGIN)
			continue;
		r.lo = hp_smaller(r.lo, sizes[i]);
		r.hi = i == n - 1 ? INFINITY : hp_larger(r.hi, sizes[i]);
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

static struct hp_granule_fit fit_make(const struct hp_granule_evidence *all,
				      double base,
				      const struct hp_granule_guess *g)
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

static void use_up(struct hp_granule_evidence *all,
		   const struct hp_granule_guess *g)
{
	for (size_t c = 0; c < all->len; c++)
		if (g->match[c] >= 0)
			all->at[c].used[g->match[c]] = true;
}

/* a step shortly before another is part of its ramp */
static bool has_puzzle(const struct hp_granule_witness *e, int match)
{
	for (int i = 0; i < match; i++)
		if (!e->used[i] &&
		    hp_octave_log(e->steps[match].knee / e->steps[i].knee) >
			    RAMP_OCTAVES)
			return true;
	return false;
}

static unsigned int puzzles(const struct hp_granule_evidence *all,
			    const struct hp_granule_guess *g)
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
static bool is_credible(const struct hp_granule_guess *g)
{
	return g->votes >= VOTES_MIN && g->even >= EVEN_MIN &&
	       g->against <= g->votes / 6;
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
	struct hp_granule_guess g[HP_GRANULE_LEVELS_MAX];
	struct hp_granule_evidence all;
	size_t n = 0;

	hp_granule_evidence_gather(sweep, &all);
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
