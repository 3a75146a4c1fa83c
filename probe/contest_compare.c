/* SPDX-License-Identifier: MIT */
/*
 * contest_compare.c - values of a contest to medians, ratios and verdicts
 */
#include "probe/contest.h"

#include <math.h>

#include "probe/stats.h"
#include "probe/words.h"

/* Below this many nodes the whole chain sits in a few sets of one cache. */
enum { NODES_RELIABLE = 64, ROUNDS_FEWEST = 3 };

static unsigned int collect(const double *values, unsigned int rounds,
			    double *out)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < rounds; i++)
		if (isfinite(values[i]))
			out[n++] = values[i];
	return n;
}

static void summarise(struct hp_probe_arm *arm, const double *values,
		      unsigned int rounds)
{
	double whole[HP_ROUNDS_MAX], least = arm->ns.min;

	arm->rounds = collect(values, rounds, whole);
	arm->ns = hp_stats_summary(whole, arm->rounds);
	arm->ns.min = hp_stats_smaller(arm->ns.min, least);
	if (arm->rounds < ROUNDS_FEWEST && !arm->reason[0])
		hp_words(arm->reason, sizeof(arm->reason),
			 "only %u rounds gave a value: disturbed, or no time",
			 arm->rounds);
}

void hp_contest_summarise(struct hp_contest *contest)
{
	unsigned int rounds = contest->result->options.rounds;

	for (size_t e = 0; e < contest->nentrants; e++)
		for (size_t t = 0; t < contest->ntrials; t++)
			summarise(hp_contest_arm(contest, e, t),
				  hp_contest_values(contest, e, t), rounds);
}

static bool stands(const struct hp_probe_arm *arm)
{
	return arm->backing.verified && arm->rounds >= ROUNDS_FEWEST;
}

static void compare_arm(struct hp_contest *contest, size_t entrant,
			size_t trial, double floor)
{
	struct hp_probe_options *options = &contest->result->options;
	struct hp_probe_arm *arm = hp_contest_arm(contest, entrant, trial);

	if (!stands(arm) ||
	    !stands(hp_contest_arm(contest, contest->baseline, trial)))
		return;
	arm->floor = floor;
	arm->ratio = hp_stats_ratio(
		hp_contest_values(contest, entrant, trial),
		hp_contest_values(contest, contest->baseline, trial),
		options->rounds, options->seed);
	if (arm->nodes && arm->nodes < NODES_RELIABLE)
		return;
	arm->verdict = hp_stats_verdict(&arm->ratio, floor);
}

static double floor_of(struct hp_contest *contest, size_t trial)
{
	struct hp_probe_options *options = &contest->result->options;

	if (!stands(hp_contest_arm(contest, contest->control, trial)))
		return NAN;
	return hp_stats_floor(
		hp_contest_values(contest, contest->baseline, trial),
		hp_contest_values(contest, contest->control, trial),
		options->rounds, options->seed);
}

static bool entrant_stands(const struct hp_contest *contest, size_t entrant)
{
	for (size_t t = 0; t < contest->ntrials; t++)
		if (stands(hp_contest_arm(contest, entrant, t)))
			return true;
	return false;
}

/* The control counts only where nothing else was asked for. */
static bool two_stand(const struct hp_contest *contest)
{
	size_t kinds = contest->control, standing = 0;

	for (size_t e = 0; e < kinds; e++)
		standing += entrant_stands(contest, e);
	if (kinds == 1)
		standing += entrant_stands(contest, contest->control);
	return standing >= 2;
}

/* Opened is not counted: a virtual machine may offer events that never run. */
static void check_counters(struct hp_probe_result *result)
{
	char *error = result->machine.counters_error;
	bool sampled = false;

	for (size_t i = 0; i < result->narms && !error[0]; i++) {
		if (isfinite(result->arms[i].counters.dtlb_misses))
			return;
		sampled |= result->arms[i].rounds > 0;
	}
	if (sampled)
		hp_words(error, sizeof(result->machine.counters_error),
			 "the events never ran");
}

void hp_contest_compare(struct hp_contest *contest)
{
	struct hp_probe_result *result = contest->result;

	for (size_t t = 0; t < contest->ntrials; t++) {
		double floor = floor_of(contest, t);

		result->noise_floor =
			hp_stats_larger(result->noise_floor, floor);
		for (size_t e = 0; e < contest->nentrants; e++)
			if (e != contest->baseline)
				compare_arm(contest, e, t, floor);
	}
	result->conclusions_valid = two_stand(contest);
	check_counters(result);
}
