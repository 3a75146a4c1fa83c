/* SPDX-License-Identifier: MIT */
/*
 * contest_rounds.c - the rounds of a contest: fresh buffers, shuffled, verified
 */
#include "probe/contest.h"

#include <string.h>

#include "probe/rng.h"
#include "probe/stats.h"
#include "probe/words.h"

struct place {
	struct hp_contest *contest;
	unsigned int round;
	size_t entrant;
	double done; /* share of the whole contest */
};

static void give_reason(struct hp_probe_arm *arm, const char *why)
{
	if (!arm->reason[0])
		hp_words(arm->reason, sizeof(arm->reason), "%s", why);
}

static void drop_out(struct place *at, const char *why)
{
	struct hp_contest *contest = at->contest;

	contest->entrants[at->entrant].out = true;
	for (size_t t = 0; t < contest->ntrials; t++) {
		struct hp_probe_arm *arm =
			hp_contest_arm(contest, at->entrant, t);

		give_reason(arm, why);
		arm->backing.verified = false;
	}
}

/* The worst answer of all rounds is the one that is kept. */
static void record_backing(struct hp_probe_arm *arm,
			   const struct hp_probe_backing *now, bool first,
			   const char *why)
{
	if (first || (arm->backing.verified && !now->verified))
		arm->backing = *now;
	if (!now->verified)
		give_reason(arm, why);
}

static void verify(struct place *at, const struct hp_buffer *buffer, bool first)
{
	struct hp_contest *contest = at->contest;
	struct hp_probe_backing now;
	char why[96];

	hp_buffer_verify(buffer, &now, why, sizeof(why));
	for (size_t t = 0; t < contest->ntrials; t++)
		record_backing(hp_contest_arm(contest, at->entrant, t), &now,
			       first, why);
}

static void record(struct place *at, size_t trial,
		   struct hp_trial_outcome *outcome)
{
	struct hp_probe_arm *arm =
		hp_contest_arm(at->contest, at->entrant, trial);
	double *values = hp_contest_values(at->contest, at->entrant, trial);
	struct hp_sample *sample = &outcome->sample;
	struct hp_probe_summary ns =
		hp_stats_summary(sample->ns, sample->chunks.kept);

	arm->chunks.kept += sample->chunks.kept;
	arm->chunks.total += sample->chunks.total;
	for (unsigned int i = 0; i < HP_PROBE_DROPS; i++)
		arm->chunks.dropped[i] += sample->chunks.dropped[i];
	values[at->round] = ns.median;
	arm->ns.min = hp_stats_smaller(arm->ns.min, ns.min);
	arm->counters = outcome->counters;
	if (sample->chunks.kept)
		arm->cycles = ns.median / sample->cycle_ns;
}

static void run_trial(struct place *at, size_t trial,
		      const struct hp_buffer *buffer)
{
	struct hp_contest *contest = at->contest;
	const struct hp_trial *what = &contest->trials[trial];
	struct hp_trial_outcome outcome = {0};
	int err;

	if (what->reason[0] || hp_sampler_done(&contest->sampler))
		return;
	err = hp_trial_run(what, buffer, &contest->sampler, &contest->perf,
			   contest->result->options.chunks, &outcome);
	if (err == -EINTR)
		return;
	if (err)
		give_reason(hp_contest_arm(contest, at->entrant, trial),
			    err == -EIO ? "the chain is not one cycle"
					: strerror(-err));
	else
		record(at, trial, &outcome);
}

/* Odd rounds go backwards, so that no trial always has the warmer memory. */
static void run_trials(struct place *at, const struct hp_buffer *buffer)
{
	size_t n = at->contest->ntrials;

	for (size_t i = 0; i < n; i++)
		run_trial(at, at->round % 2 ? n - 1 - i : i, buffer);
}

static uint64_t longest_trial(const struct hp_contest *contest)
{
	uint64_t bytes = 1;

	for (size_t t = 0; t < contest->ntrials; t++)
		if (!contest->trials[t].reason[0])
			bytes = hp_max(bytes,
				       hp_trial_bytes(&contest->trials[t]));
	return bytes;
}

static void report_progress(const struct place *at)
{
	const struct hp_probe_options *options = &at->contest->result->options;
	const struct hp_entrant *entrant = &at->contest->entrants[at->entrant];
	char step[64];

	if (!options->progress)
		return;
	hp_words(step, sizeof(step), "round %u of %u, %s", at->round + 1,
		 options->rounds, entrant->kind.name);
	options->progress(step, at->done, options->arg);
}

static void run_entrant(struct place *at)
{
	struct hp_contest *contest = at->contest;
	struct hp_entrant *entrant = &contest->entrants[at->entrant];
	struct hp_buffer buffer;
	char why[96] = "";
	int err;

	report_progress(at);
	err = hp_buffer_map(&buffer, &entrant->kind, longest_trial(contest),
			    why, sizeof(why));
	if (err) {
		drop_out(at, why[0] ? why : strerror(-err));
		return;
	}
	err = hp_buffer_populate(&buffer, contest->sampler.stop);
	if (err && err != -EINTR)
		drop_out(at, strerror(-err));
	if (!err) {
		verify(at, &buffer, at->round == 0);
		run_trials(at, &buffer);
		verify(at, &buffer, false);
	}
	hp_buffer_close(&buffer);
}

static void run_round(struct place *at, struct hp_rng *rng)
{
	struct hp_contest *contest = at->contest;
	unsigned int order[HP_ENTRANTS_MAX];
	double rounds = contest->result->options.rounds;

	for (unsigned int i = 0; i < contest->nentrants; i++)
		order[i] = i;
	hp_rng_shuffle(rng, order, contest->nentrants);
	for (size_t i = 0; i < contest->nentrants; i++) {
		if (hp_sampler_done(&contest->sampler))
			return;
		at->entrant = order[i];
		at->done =
			(at->round + (double)i / (double)contest->nentrants) /
			rounds;
		if (!contest->entrants[order[i]].out)
			run_entrant(at);
	}
}

void hp_contest_run(struct hp_contest *contest)
{
	struct hp_probe_options *options = &contest->result->options;
	struct place at = {.contest = contest};
	uint64_t start = hp_clock_ns();
	struct hp_rng rng;

	hp_rng_seed(&rng, options->seed);
	for (; at.round < options->rounds; at.round++) {
		if (hp_sampler_done(&contest->sampler))
			break;
		run_round(&at, &rng);
	}
	contest->result->interrupted = hp_sampler_done(&contest->sampler);
	contest->result->elapsed_s = (double)(hp_clock_ns() - start) / 1e9;
}
