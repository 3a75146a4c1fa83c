/* SPDX-License-Identifier: MIT */
#include "probe/contest.h"

enum { POINTS_MAX = 256, PER_OCTAVE = 4 };

static const struct hp_defaults defaults = {
	.span = 256 * HP_MIB,
	.patterns = "dense,sparse",
	.rounds = 5,
	.chunks = 3,
};

struct curve {
	size_t n;
	struct hp_trial point[POINTS_MAX];
};

static int layout_point(struct hp_trial *trial, bool sparse,
			const struct hp_contest *contest)
{
	const struct hp_probe_options *options = &contest->result->options;
	const struct hp_probe_machine *machine = &contest->result->machine;

	if (!sparse)
		return hp_layout_dense(&trial->layout, trial->span,
				       hp_settings_dense(options));
	return hp_layout_sparse(
		&trial->layout, trial->span,
		hp_settings_sparse(options, machine, options->span),
		hp_settings_line(machine));
}

/* Spans too short for two nodes are no points at all. */
static void add_point(struct curve *curve, const struct hp_contest *contest,
		      bool sparse, uint64_t span)
{
	struct hp_trial *trial = &curve->point[curve->n];

	*trial = (struct hp_trial){
		.pattern = sparse ? "sparse" : "dense",
		.kernel = hp_kernel_streams(1),
		.span = span,
		.seed = contest->result->options.seed + curve->n,
	};
	if (curve->n < POINTS_MAX && !layout_point(trial, sparse, contest))
		curve->n++;
}

/* Each point rounded to whole kibibytes, the last one the span itself. */
static uint64_t point_span(unsigned int i)
{
	/* 2^(k/4) */
	static const double step[PER_OCTAVE] = {1, 1.189207, 1.414214,
						1.681793};
	double octave = (double)((uint64_t)4096 << i / PER_OCTAVE);

	return hp_align_down((uint64_t)(octave * step[i % PER_OCTAVE]), HP_KIB);
}

static void add_curve(struct curve *curve, const struct hp_contest *contest,
		      bool sparse)
{
	uint64_t last = contest->result->options.span;
	unsigned int i = 0;

	for (; point_span(i) < last; i++)
		add_point(curve, contest, sparse, point_span(i));
	add_point(curve, contest, sparse, last);
}

static int run(struct hp_contest *contest)
{
	const struct hp_probe_options *options = &contest->result->options;
	struct curve curve = {0};
	int err;

	if (hp_settings_wants(options->pattern, "sparse"))
		add_curve(&curve, contest, true);
	if (hp_settings_wants(options->pattern, "dense"))
		add_curve(&curve, contest, false);
	if (!curve.n)
		return -EINVAL;
	err = hp_contest_trials(contest, curve.point, curve.n);
	if (err)
		return err;
	hp_contest_run(contest);
	hp_contest_summarise(contest);
	hp_contest_compare(contest);
	return 0;
}

HP_EXPORT int hp_probe_sweep(const struct hp_probe_options *options,
			     struct hp_probe_result **out)
{
	struct hp_probe_options dense;

	hp_probe_options_init(&dense);
	if (options)
		dense = *options;
	if (!dense.pattern)
		dense.pattern = "dense";
	return hp_contest_command("sweep", &dense, &defaults, false, run, out);
}
