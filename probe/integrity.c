/* SPDX-License-Identifier: MIT */
#include "probe/contest.h"

#include <math.h>
#include <string.h>

#include "probe/stats.h"

/* Effects below a tenth are not what these mechanisms do. */
static const double telling = 0.10;

enum variant { RAW, MASKED, BLIND, SITES, RELINKED, VARIANTS };

static const struct hp_defaults defaults = {
	.span = 16 * HP_MIB,
	.patterns = "raw,masked,blind,sites,relinked",
	.rounds = 5,
	.chunks = 8,
};

static const struct {
	const char *pattern, *kernel;
	enum hp_prepare prepare;
} variants[VARIANTS] = {
	[RAW] = {"raw", "raw", HP_PREPARE_LINK},
	[MASKED] = {"masked", "masked", HP_PREPARE_MASKED},
	[BLIND] = {"blind", "blind", HP_PREPARE_TABLE},
	[SITES] = {"sites", "sites", HP_PREPARE_LINK},
	[RELINKED] = {"relinked", "raw", HP_PREPARE_RELINK},
};

static int choose(const struct hp_probe_options *options,
		  struct hp_trial *trials)
{
	int err = 0;

	for (unsigned int v = 0; v < VARIANTS && !err; v++) {
		trials[v] = (struct hp_trial){
			.pattern = variants[v].pattern,
			.prepare = variants[v].prepare,
			.kernel = hp_kernel_find(variants[v].kernel),
			.span = options->span,
			.seed = options->seed,
		};
		err = hp_layout_dense(&trials[v].layout, trials[v].span,
				      hp_settings_dense(options));
	}
	return err;
}

static struct hp_probe_interval ratio_of(const struct hp_contest *contest,
					 size_t entrant, enum variant of,
					 enum variant to)
{
	const struct hp_probe_options *options = &contest->result->options;

	return hp_stats_ratio(hp_contest_values(contest, entrant, of),
			      hp_contest_values(contest, entrant, to),
			      options->rounds, options->seed);
}

/* Did @quick beat @honest by more than a tenth and the noise? */
static enum hp_probe_finding beats(const struct hp_contest *contest,
				   enum variant quick, enum variant honest)
{
	struct hp_probe_interval ratio =
		ratio_of(contest, contest->baseline, quick, honest);
	double floor = contest->result->noise_floor;

	if (!isfinite(ratio.value) || !isfinite(floor))
		return HP_PROBE_UNKNOWN;
	if (ratio.hi < 1 - telling && 1 - ratio.value > floor)
		return HP_PROBE_YES;
	return ratio.lo > 1 - telling ? HP_PROBE_NO : HP_PROBE_UNKNOWN;
}

/* Everything is compared with raw pointers, in the same buffers. */
static void compare_variants(struct hp_contest *contest)
{
	for (size_t e = 0; e < contest->nentrants; e++)
		for (unsigned int v = RAW + 1; v < VARIANTS; v++) {
			struct hp_probe_arm *arm =
				hp_contest_arm(contest, e, v);

			arm->verdict = HP_PROBE_UNVERIFIED;
			if (!arm->backing.verified)
				continue;
			arm->ratio = ratio_of(contest, e, v, RAW);
			arm->verdict = hp_stats_verdict(
				&arm->ratio, contest->result->noise_floor);
		}
}

static void find(struct hp_contest *contest)
{
	struct hp_probe_integrity_findings *found = &contest->result->integrity;

	found->content_prefetcher = beats(contest, RAW, MASKED);
	found->temporal_prefetcher = beats(contest, RAW, RELINKED);
	found->value_predictor = beats(contest, BLIND, SITES);
	if (found->value_predictor != HP_PROBE_YES &&
	    beats(contest, RAW, SITES) == HP_PROBE_YES)
		found->value_predictor = HP_PROBE_YES;
}

static int run(struct hp_contest *contest)
{
	struct hp_trial trials[VARIANTS];
	int err = choose(&contest->result->options, trials);

	if (!err)
		err = hp_contest_trials(contest, trials, VARIANTS);
	if (err)
		return err;
	hp_contest_run(contest);
	hp_contest_summarise(contest);
	hp_contest_compare(contest);
	compare_variants(contest);
	find(contest);
	return 0;
}

HP_EXPORT int hp_probe_integrity(const struct hp_probe_options *options,
				 struct hp_probe_result **out)
{
	return hp_contest_command("integrity", options, &defaults, true, run,
				  out);
}
