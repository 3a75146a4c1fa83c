/* SPDX-License-Identifier: MIT */
#include "preload/compare_judge.h"

#include <math.h>

#include "libhp/common.h"
#include "probe/stats.h"

enum { BOOTSTRAP_SEED = 1 };

/* one value a round, NAN where there is none; returns how many */
static size_t column(const struct hp_comparison *c,
		     const struct hp_compare_arm *arm, enum hp_measure measure,
		     double *values)
{
	size_t n = hp_min(c->rounds, HP_STATS_PAIRS_MAX);

	for (size_t i = 0; i < n; i++)
		values[i] = arm->runs[i].value[measure];
	return n;
}

static void summarize(const struct hp_comparison *c, struct hp_compare_arm *arm)
{
	double values[HP_STATS_PAIRS_MAX];

	for (enum hp_measure m = 0; m < HP_MEASURES; m++) {
		size_t n = column(c, arm, m, values);

		arm->summary[m] = hp_stats_summary(values, n);
	}
}

/* timed plain runs are not watched: it would cost them time */
static void lend_coverage(const struct hp_compare_run *first,
			  struct hp_compare_arm *plain)
{
	double value = first->value[HP_MEASURE_COVERAGE];

	plain->summary[HP_MEASURE_COVERAGE] =
		(struct hp_probe_summary){value, value, value, value};
}

static struct hp_probe_interval ratio(const struct hp_comparison *c,
				      const struct hp_compare_arm *arm,
				      const struct hp_compare_arm *base)
{
	double a[HP_STATS_PAIRS_MAX], b[HP_STATS_PAIRS_MAX];
	size_t n = column(c, base, HP_MEASURE_WALL, b);

	column(c, arm, HP_MEASURE_WALL, a);
	return hp_stats_ratio(a, b, n, BOOTSTRAP_SEED);
}

/* what the program had to do, whoever else wanted the processors */
static struct hp_probe_interval cpu_ratio(const struct hp_comparison *c,
					  const struct hp_compare_arm *arm,
					  const struct hp_compare_arm *base)
{
	double a[HP_STATS_PAIRS_MAX], b[HP_STATS_PAIRS_MAX];
	size_t n = hp_min(c->rounds, HP_STATS_PAIRS_MAX);

	for (size_t i = 0; i < n; i++) {
		const double *of = arm->runs[i].value;
		const double *to = base->runs[i].value;

		a[i] = of[HP_MEASURE_USER] + of[HP_MEASURE_SYS];
		b[i] = to[HP_MEASURE_USER] + to[HP_MEASURE_SYS];
	}
	return hp_stats_ratio(a, b, n, BOOTSTRAP_SEED);
}

static double floor_of(struct hp_comparison *c)
{
	double a[HP_STATS_PAIRS_MAX], b[HP_STATS_PAIRS_MAX];
	size_t n = column(c, hp_comparison_find(c, HP_ROLE_PLAIN),
			  HP_MEASURE_WALL, a);

	column(c, hp_comparison_find(c, HP_ROLE_CONTROL), HP_MEASURE_WALL, b);
	return hp_stats_floor(a, b, n, BOOTSTRAP_SEED);
}

static enum hp_doubt doubt_of(const struct hp_comparison *c,
			      const struct hp_compare_arm *arm)
{
	if (c->doubt != HP_DOUBT_NONE)
		return c->doubt;
	if (isnan(arm->to_plain.value) || isnan(c->floor))
		return HP_DOUBT_ROUNDS;
	if (hp_stats_verdict(&arm->to_plain, c->floor) ==
	    HP_PROBE_INDISTINGUISHABLE)
		return HP_DOUBT_NOISE;
	return HP_DOUBT_NONE;
}

static void judge(const struct hp_comparison *c, struct hp_compare_arm *arm)
{
	arm->doubt = doubt_of(c, arm);
	arm->verdict = arm->doubt == HP_DOUBT_NONE
			       ? hp_stats_verdict(&arm->to_plain, c->floor)
			       : HP_PROBE_INDISTINGUISHABLE;
}

void hp_compare_judge(struct hp_comparison *c)
{
	struct hp_compare_arm *plain = hp_comparison_find(c, HP_ROLE_PLAIN);
	struct hp_compare_arm *off = hp_comparison_find(c, HP_ROLE_OFF);

	c->floor = floor_of(c);
	for (unsigned int i = 0; i < c->n; i++) {
		struct hp_compare_arm *arm = &c->arm[i];

		summarize(c, arm);
		arm->to_plain = ratio(c, arm, plain);
		arm->to_off = ratio(c, arm, off);
		arm->cpu_to_plain = cpu_ratio(c, arm, plain);
		judge(c, arm);
	}
	lend_coverage(&c->first, plain);
}

const char *hp_compare_verdict_text(enum hp_probe_verdict verdict)
{
	if (verdict == HP_PROBE_FASTER || verdict == HP_PROBE_SLOWER)
		return hp_probe_verdict_text(verdict);
	return "inconclusive";
}

const char *hp_compare_doubt_word(enum hp_doubt doubt)
{
	static const char *const words[] = {
		[HP_DOUBT_NOISE] = "within-noise",
		[HP_DOUBT_ROUNDS] = "too-few-rounds",
		[HP_DOUBT_NOT_LOADED] = "not-loaded",
		[HP_DOUBT_OUTPUT] = "output-differs",
		[HP_DOUBT_STATUS] = "status-differs",
	};

	return words[doubt];
}
