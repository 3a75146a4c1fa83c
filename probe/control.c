/* SPDX-License-Identifier: MIT */
#include "probe/contest.h"

static const struct hp_defaults defaults = {
	.span = 256 * HP_MIB,
	.patterns = "dense",
	.rounds = 10,
	.chunks = 8,
};

static int run(struct hp_contest *contest)
{
	const struct hp_probe_options *options = &contest->result->options;
	struct hp_trial dense = {
		.pattern = "dense",
		.kernel = hp_kernel_streams(1),
		.span = options->span,
		.seed = options->seed,
	};
	int err = hp_layout_dense(&dense.layout, dense.span,
				  hp_settings_dense(options));

	if (!err)
		err = hp_contest_trials(contest, &dense, 1);
	if (err)
		return err;
	hp_contest_run(contest);
	hp_contest_summarise(contest);
	hp_contest_compare(contest);
	return 0;
}

HP_EXPORT int hp_probe_control(const struct hp_probe_options *options,
			       struct hp_probe_result **out)
{
	return hp_contest_command("control", options, &defaults, true, run,
				  out);
}
