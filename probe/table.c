/* SPDX-License-Identifier: MIT */
#include "probe/contest.h"

#include <string.h>

#include "probe/settings.h"
#include "probe/stats.h"
#include "probe/words.h"

static const struct hp_defaults defaults = {
	.span = HP_GIB,
	.patterns = "random,dense,streams,sparse,packed",
	.rounds = 5,
	.chunks = 8,
};

struct trials {
	size_t n;
	struct hp_trial trial[5];
	const struct hp_probe_options *options;
	const struct hp_probe_machine *machine;
};

static struct hp_trial *add(struct trials *trials, const char *pattern,
			    const struct hp_kernel *kernel)
{
	struct hp_trial *trial = &trials->trial[trials->n++];

	*trial = (struct hp_trial){
		.pattern = pattern,
		.kernel = kernel,
		.span = trials->options->span,
		.seed = trials->options->seed,
	};
	return trial;
}

static void too_short(struct hp_trial *trial)
{
	hp_words(trial->reason, sizeof(trial->reason),
		 "a span of %llu bytes holds less than two nodes",
		 (unsigned long long)trial->span);
}

static void add_random(struct trials *trials)
{
	struct hp_trial *trial =
		add(trials, "random", hp_kernel_find("random"));

	trial->prepare = HP_PREPARE_SCATTER;
	/* Its index is masked, so it covers a power of two. */
	trial->span = (uint64_t)1 << hp_log2(trial->span);
}

static void add_dense(struct trials *trials, const char *pattern,
		      unsigned int streams)
{
	struct hp_trial *trial =
		add(trials, pattern, hp_kernel_streams(streams));

	if (hp_layout_dense(&trial->layout, trial->span,
			    hp_settings_dense(trials->options)))
		too_short(trial);
}

static void add_sparse(struct trials *trials, bool packed)
{
	struct hp_trial *trial =
		add(trials, packed ? "packed" : "sparse", hp_kernel_streams(1));
	uint64_t block = hp_settings_sparse(trials->options, trials->machine,
					    trial->span);

	if (hp_layout_sparse(&trial->layout, trial->span, block,
			     hp_settings_line(trials->machine)))
		too_short(trial);
	else if (packed)
		hp_layout_packed(&trial->layout, &trial->layout);
}

static bool wants(const struct trials *trials, const char *pattern)
{
	return hp_settings_wants(trials->options->pattern, pattern);
}

/*
 * "random" overwrites all of the buffer and goes first; the chains after it
 * only need their own nodes.
 */
static void choose(struct trials *trials)
{
	if (wants(trials, "random"))
		add_random(trials);
	if (wants(trials, "dense"))
		add_dense(trials, "dense", 1);
	if (wants(trials, "streams"))
		add_dense(trials, "streams", trials->options->streams);
	if (wants(trials, "sparse"))
		add_sparse(trials, false);
	if (wants(trials, "packed"))
		add_sparse(trials, true);
}

static size_t find_trial(const struct hp_contest *contest, const char *pattern)
{
	size_t t = 0;

	while (t < contest->ntrials &&
	       strcmp(contest->trials[t].pattern, pattern))
		t++;
	return t;
}

/* Same lines, many pages against few: what is left is translation. */
static void isolate_translation(struct hp_contest *contest)
{
	struct hp_probe_options *options = &contest->result->options;
	size_t sparse = find_trial(contest, "sparse");
	size_t packed = find_trial(contest, "packed");

	if (sparse == contest->ntrials || packed == contest->ntrials)
		return;
	for (size_t e = 0; e < contest->nentrants; e++)
		hp_contest_arm(contest, e, sparse)->translation =
			hp_stats_difference(
				hp_contest_values(contest, e, sparse),
				hp_contest_values(contest, e, packed),
				options->rounds, options->seed);
}

static int run(struct hp_contest *contest)
{
	struct trials trials = {
		.options = &contest->result->options,
		.machine = &contest->result->machine,
	};
	int err;

	choose(&trials);
	err = hp_contest_trials(contest, trials.trial, trials.n);
	if (err)
		return err;
	hp_contest_run(contest);
	hp_contest_summarise(contest);
	hp_contest_compare(contest);
	isolate_translation(contest);
	return 0;
}

HP_EXPORT int hp_probe_table(const struct hp_probe_options *options,
			     struct hp_probe_result **out)
{
	return hp_contest_command("table", options, &defaults, false, run, out);
}
