/* SPDX-License-Identifier: MIT */
/*
 * contest.h - entrants of different pages run the same trials, fairly
 *
 * Every round gives each entrant a fresh buffer, in shuffled order, and runs
 * every trial on it; backing is verified before and after. What comes out is
 * one value per entrant, trial and round, so that comparisons can be paired.
 * The last entrant is a second one of the baseline's kind: the control.
 */
#ifndef HP_CONTEST_H
#define HP_CONTEST_H

#include "probe/kind.h"
#include "probe/perf.h"
#include "probe/pin.h"
#include "probe/settings.h"
#include "probe/trial.h"

enum { HP_ENTRANTS_MAX = HP_KINDS_MAX + 1 };

struct hp_entrant {
	struct hp_kind kind;
	const char *role; /* "baseline", "control", "arm" */
	bool out;	  /* could not be had; the arms hold the reason */
};

struct hp_contest {
	struct hp_probe_result *result; /* arms [entrant][trial] */
	size_t nentrants, ntrials, baseline, control;
	struct hp_entrant entrants[HP_ENTRANTS_MAX];
	struct hp_trial *trials;
	double *values; /* [entrant][trial][round]; NAN: none */
	struct hp_pin pin;
	struct hp_sampler sampler;
	struct hp_perf perf;
};

/**
 * hp_contest_open - set up the result, pin the thread, calibrate
 * @contest: receives everything; to be closed whatever is returned
 * @command: for the result
 * @options: complete
 * @kinds:   entrants; the first of the base page, else the first, is baseline
 *
 * Return: 0; -ENOMEM.
 */
int hp_contest_open(struct hp_contest *contest, const char *command,
		    const struct hp_probe_options *options,
		    const struct hp_kinds *kinds) HP_MUST_CHECK;

/**
 * hp_contest_trials - say what to run
 * @contest: an open contest
 * @trials:  copied; those with a reason become arms without a value
 * @n:       how many
 *
 * Return: 0; -ENOMEM.
 */
int hp_contest_trials(struct hp_contest *contest, const struct hp_trial *trials,
		      size_t n) HP_MUST_CHECK;

/* hp_contest_run - all rounds, until done, stopped or out of time */
void hp_contest_run(struct hp_contest *contest);

/* the values of one arm, one per round of the options */
double *hp_contest_values(const struct hp_contest *contest, size_t entrant,
			  size_t trial);
struct hp_probe_arm *hp_contest_arm(const struct hp_contest *contest,
				    size_t entrant, size_t trial);

/* hp_contest_summarise - ns of every arm from its rounds */
void hp_contest_summarise(struct hp_contest *contest);

/**
 * hp_contest_compare - ratios, floors and verdicts against the baseline
 *
 * After hp_contest_summarise(). Arms that are not verified get none.
 */
void hp_contest_compare(struct hp_contest *contest);

/* hp_contest_note - add a remark to the result; dropped when there are many */
__attribute__((format(printf, 2, 3))) void
hp_contest_note(struct hp_contest *contest, const char *format, ...);

/* hp_contest_close - give back what only the contest needed */
void hp_contest_close(struct hp_contest *contest);

/**
 * hp_contest_command - what the commands have in common
 * @command:  its name
 * @options:  the caller's, or NULL
 * @defaults: the command's
 * @one_kind: only the first kind and its control take part
 * @run:      chooses trials, runs and evaluates them; 0 or -errno
 * @out:      receives the result; untouched on failure
 *
 * Return: 0 or -errno.
 */
int hp_contest_command(const char *command,
		       const struct hp_probe_options *options,
		       const struct hp_defaults *defaults, bool one_kind,
		       int (*run)(struct hp_contest *contest),
		       struct hp_probe_result **out) HP_MUST_CHECK;

#endif
