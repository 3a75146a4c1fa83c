/* SPDX-License-Identifier: MIT */
/*
 * granule_guess.c - one granule and entry count against all curves
 */
#include "probe/granule_guess.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "probe/octave.h"

/*
 * All in octaves. The hardest pair to tell apart is 1 against 4/3 (0.415):
 * spacing 3/4 G against G.
 */
#define TOLERANCE 0.2
#define ROOM_BELOW 0.7
#define ROOM_ABOVE 0.8
#define ROOM_ABOVE_UNEVEN 1.2
#define RAMP_OF_TWO 3.5

/* how much of the entries blocks that fill sets by chance can use */
#define MIXED_GRANULES 8
#define MIXED_LEAST 0.6

static double octaves(double a, double b)
{
	return fabs(hp_octave_log(a / b));
}

void hp_granule_evidence_gather(const struct hp_granule_sweep *sweep,
				struct hp_granule_evidence *all)
{
	memset(all, 0, sizeof(*all));
	for (size_t i = 0; i < sweep->len && i < HP_GRANULE_CURVES_MAX; i++) {
		const struct hp_granule_curve *c = &sweep->curves[i];
		struct hp_granule_witness *e = &all->at[all->len];

		if (!c->len)
			continue;
		e->spacing = (double)c->spacing;
		e->first = (double)c->points[0].blocks;
		e->last = (double)c->points[c->len - 1].blocks;
		e->len = hp_granule_steps_find(c, e->steps);
		all->len++;
	}
}

double hp_granule_share(const struct hp_granule_witness *e, double granule)
{
	return hp_larger(1, granule / e->spacing);
}

static bool is_odd(double times)
{
	uint64_t whole = times < 1e15 ? (uint64_t)times : 0;

	return (double)whole == times && whole % 2;
}

enum hp_granule_filling
hp_granule_filling_of(const struct hp_granule_witness *e, double granule)
{
	double times = e->spacing / granule;
	double wander = (double)((size_t)e->spacing & -(size_t)e->spacing);

	if (times < 2 || is_odd(times))
		return HP_GRANULE_FILL_EVEN;
	return wander >= MIXED_GRANULES * granule ? HP_GRANULE_FILL_MIXED
						  : HP_GRANULE_FILL_PART;
}

/* the fewest blocks at which a curve can show a level of @entries */
static double least_knee(const struct hp_granule_witness *e,
			 const struct hp_granule_guess *g)
{
	switch (hp_granule_filling_of(e, g->granule)) {
	case HP_GRANULE_FILL_EVEN:
		return g->entries * hp_granule_share(e, g->granule);
	case HP_GRANULE_FILL_MIXED:
		return g->entries * MIXED_LEAST;
	default:
		return hp_larger(1, g->entries * g->granule / e->spacing);
	}
}

/* whether a step between the two would have a stretch on either side */
static bool in_view(const struct hp_granule_witness *e, double granule,
		    double from, double to)
{
	bool even = hp_granule_filling_of(e, granule) == HP_GRANULE_FILL_EVEN;
	double above = even ? ROOM_ABOVE : ROOM_ABOVE_UNEVEN;

	return hp_octave_log(from / e->first) >= ROOM_BELOW &&
	       hp_octave_log(e->last / to) >= above;
}

/* unused step closest to @to among those between the two */
static int step_between(const struct hp_granule_witness *e, double from,
			double to)
{
	int best = HP_GRANULE_SILENT;

	for (size_t i = 0; i < e->len; i++) {
		double knee = e->steps[i].knee;

		if (e->used[i] || hp_octave_log(knee / from) < -TOLERANCE ||
		    hp_octave_log(knee / to) > TOLERANCE)
			continue;
		if (best < 0 ||
		    octaves(knee, to) < octaves(e->steps[best].knee, to))
			best = (int)i;
	}
	return best;
}

/*
 * A ramp this long is two steps that ran into each other, as where sets fill
 * by chance: whatever lies inside it cannot be told.
 */
static bool is_hidden(const struct hp_granule_witness *e, double from,
		      double to)
{
	for (size_t i = 0; i < e->len; i++) {
		const struct hp_granule_step *s = &e->steps[i];

		if (hp_octave_log(s->full / s->onset) > RAMP_OF_TWO &&
		    s->onset <= to && s->full >= from)
			return true;
	}
	return false;
}

static void judge_curve(struct hp_granule_guess *g,
			const struct hp_granule_witness *e, size_t c)
{
	double to = g->entries * hp_granule_share(e, g->granule);
	double from = least_knee(e, g);
	enum hp_granule_filling filled = hp_granule_filling_of(e, g->granule);
	int step = step_between(e, from, to);

	if (step < 0) {
		bool seen = in_view(e, g->granule, from, to) &&
			    !is_hidden(e, from, to);

		g->match[c] = seen ? HP_GRANULE_CONTRADICTS : HP_GRANULE_SILENT;
		g->against += seen;
		return;
	}
	g->match[c] = (signed char)step;
	g->votes += filled != HP_GRANULE_FILL_PART;
	g->even += filled == HP_GRANULE_FILL_EVEN;
	g->above += e->spacing > g->granule;
}

struct hp_granule_guess
hp_granule_guess_judge(const struct hp_granule_evidence *all, double granule,
		       double entries)
{
	struct hp_granule_guess g = {.granule = granule, .entries = entries};

	for (size_t c = 0; c < all->len; c++)
		judge_curve(&g, &all->at[c], c);
	return g;
}
