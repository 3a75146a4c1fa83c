/* SPDX-License-Identifier: MIT */
#include "probe/contest.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "probe/host.h"
#include "probe/stats.h"
#include "probe/words.h"

double *hp_contest_values(const struct hp_contest *contest, size_t entrant,
			  size_t trial)
{
	size_t arm = entrant * contest->ntrials + trial;

	return contest->values + arm * contest->result->options.rounds;
}

struct hp_probe_arm *hp_contest_arm(const struct hp_contest *contest,
				    size_t entrant, size_t trial)
{
	return &contest->result->arms[entrant * contest->ntrials + trial];
}

void hp_contest_note(struct hp_contest *contest, const char *format, ...)
{
	struct hp_probe_result *result = contest->result;
	va_list args;

	if (result->nnotes == HP_ARRAY_SIZE(result->notes))
		return;
	va_start(args, format);
	hp_words_list(result->notes[result->nnotes++], sizeof(result->notes[0]),
		      format, args);
	va_end(args);
}

static void enter(struct hp_contest *contest, const struct hp_kinds *kinds)
{
	for (size_t i = kinds->n; i-- > 0;)
		if (kinds->kind[i].family == HP_KIND_BASE)
			contest->baseline = i;
	for (size_t i = 0; i < kinds->n; i++)
		contest->entrants[i] = (struct hp_entrant){
			.kind = kinds->kind[i],
			.role = i == contest->baseline ? "baseline" : "arm",
		};
	contest->control = kinds->n;
	contest->entrants[kinds->n] = contest->entrants[contest->baseline];
	contest->entrants[kinds->n].role = "control";
	contest->nentrants = kinds->n + 1;
}

/* Populating is not cut short by a deadline: leave time for one buffer. */
static uint64_t deadline(const struct hp_probe_result *result)
{
	double gib = (double)result->options.span / (double)HP_GIB;
	double slack = 1 + 3.0 * gib + result->bound_s / 10;
	double left =
		hp_stats_larger(result->bound_s - slack, result->bound_s / 2);

	return hp_clock_ns() + (uint64_t)(left * 1e9);
}

static void prepare_thread(struct hp_contest *contest)
{
	struct hp_probe_result *result = contest->result;
	struct hp_probe_machine *machine = &result->machine;
	int refused = hp_pin_open(&contest->pin, result->options.cpu);

	if (refused)
		hp_contest_note(contest, "not pinned to a cpu: %s",
				strerror(-refused));
	hp_host_read(machine, contest->pin.cpu);
	hp_sampler_open(&contest->sampler);
	contest->sampler.stop = result->options.stop;
	contest->sampler.deadline_ns = deadline(result);
	machine->clock_read_ns = contest->sampler.clock.read_ns;
	machine->cycle_ns = contest->sampler.clock.cycle_ns;
	hp_perf_open(&contest->perf, machine->counters_error,
		     sizeof(machine->counters_error));
}

int hp_contest_open(struct hp_contest *contest, const char *command,
		    const struct hp_probe_options *options,
		    const struct hp_kinds *kinds)
{
	struct hp_probe_result *result = calloc(1, sizeof(*result));

	if (!result)
		return -ENOMEM;
	*contest = (struct hp_contest){.result = result};
	result->command = command;
	result->options = *options;
	result->noise_floor = NAN;
	result->integrity = (struct hp_probe_integrity_findings){
		HP_PROBE_UNKNOWN, HP_PROBE_UNKNOWN, HP_PROBE_UNKNOWN};
	result->bound_s = hp_probe_bound(command, options);
	enter(contest, kinds);
	prepare_thread(contest);
	return 0;
}

static void init_arm(struct hp_probe_arm *arm, const struct hp_entrant *entrant,
		     const struct hp_trial *trial)
{
	static const struct hp_probe_interval none = {NAN, NAN, NAN};

	memcpy(arm->pages, entrant->kind.name, sizeof(arm->pages));
	memcpy(arm->backing.asked, arm->pages, sizeof(arm->backing.asked));
	arm->pattern = trial->pattern;
	arm->role = entrant->role;
	if (!strcmp(arm->role, "baseline"))
		arm->verdict = HP_PROBE_BASELINE;
	arm->span = trial->span;
	arm->stride = trial->layout.spacing;
	arm->nodes = trial->layout.nodes;
	arm->streams = trial->kernel ? trial->kernel->streams : 1;
	arm->ns = (struct hp_probe_summary){NAN, NAN, NAN, NAN};
	arm->cycles = arm->floor = NAN;
	arm->ratio = arm->translation = none;
	arm->touch = (struct hp_probe_touch){NAN, NAN, NAN, NAN, NAN};
	arm->counters = (struct hp_probe_counters){NAN, NAN};
	arm->backing.huge_bytes = UINT64_MAX;
	hp_words(arm->reason, sizeof(arm->reason), "%s", trial->reason);
}

int hp_contest_trials(struct hp_contest *contest, const struct hp_trial *trials,
		      size_t n)
{
	struct hp_probe_result *result = contest->result;
	size_t arms = n * contest->nentrants;
	size_t values = arms * result->options.rounds;

	contest->trials = calloc(n, sizeof(*trials));
	contest->values = calloc(values, sizeof(*contest->values));
	result->arms = calloc(arms, sizeof(*result->arms));
	if (!contest->trials || !contest->values || !result->arms)
		return -ENOMEM;
	memcpy(contest->trials, trials, n * sizeof(*trials));
	contest->ntrials = n;
	result->narms = arms;
	for (size_t i = 0; i < values; i++)
		contest->values[i] = NAN;
	for (size_t e = 0; e < contest->nentrants; e++)
		for (size_t t = 0; t < n; t++)
			init_arm(hp_contest_arm(contest, e, t),
				 &contest->entrants[e], &trials[t]);
	return 0;
}

void hp_contest_close(struct hp_contest *contest)
{
	hp_perf_close(&contest->perf);
	hp_sampler_close(&contest->sampler);
	hp_pin_close(&contest->pin);
	free(contest->trials);
	free(contest->values);
}

/* Pointers of the caller must not outlive the call. */
static void seal(struct hp_probe_result *result)
{
	struct hp_probe_options *options = &result->options;

	hp_words(result->pages, sizeof(result->pages), "%s",
		 options->pages ? options->pages : "");
	options->pages = options->pattern = NULL;
	options->progress = NULL;
	options->announce = NULL;
	options->arg = NULL;
	options->stop = NULL;
}

static int compete(const char *command, const struct hp_probe_options *options,
		   const struct hp_kinds *kinds,
		   int (*run)(struct hp_contest *contest),
		   struct hp_probe_result **out)
{
	struct hp_contest contest;
	int err;

	if (options->announce)
		options->announce(command, hp_probe_bound(command, options),
				  options->arg);
	err = hp_contest_open(&contest, command, options, kinds);

	if (err)
		return err;
	err = run(&contest);
	hp_contest_close(&contest);
	seal(contest.result);
	if (err)
		hp_probe_result_free(contest.result);
	else
		*out = contest.result;
	return err;
}

int hp_contest_command(const char *command,
		       const struct hp_probe_options *options,
		       const struct hp_defaults *defaults, bool one_kind,
		       int (*run)(struct hp_contest *contest),
		       struct hp_probe_result **out)
{
	struct hp_probe_options complete;
	struct hp_kinds kinds;
	int err = hp_settings_complete(&complete, options, defaults);

	if (!err)
		err = hp_settings_kinds(&kinds, &complete);
	if (err)
		return err;
	if (one_kind)
		kinds.n = 1;
	return compete(command, &complete, &kinds, run, out);
}
