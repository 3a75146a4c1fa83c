/* SPDX-License-Identifier: MIT */
#include "preload/compare_session.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/compare_scratch.h"
#include "preload/compare_warm.h"
#include "preload/verdict.h"

static void run(struct hp_session *s, struct hp_compare_arm *arm,
		struct hp_watch *watch, struct hp_compare_run *figures,
		struct hp_compare_trace *trace)
{
	int error = hp_compare_run(&s->job, arm, watch, figures, trace);

	if (error) {
		hp_progress_clear(&s->progress);
		errx(HP_STATUS_OWN_ERROR, "--compare: a run of '%s': %s",
		     arm->name, strerror(-error));
	}
	s->peak = fmax(s->peak, figures->value[HP_MEASURE_RSS]);
	s->c->stop = trace->stop;
}

static int show(const struct hp_session *s)
{
	int error = 0;

	hp_progress_clear(&s->progress);
	hp_scratch_show(s->first.err, STDERR_FILENO);
	if (s->shows_output)
		error = hp_scratch_show(s->first.out, STDOUT_FILENO);
	if (error)
		warnx("standard output: %s", strerror(-error));
	return error ? HP_STATUS_OWN_ERROR : 0;
}

/* what is left to say of a first run that leaves nothing to compare */
static int explain_first(const struct hp_session *s)
{
	const struct hp_demand nothing = {.require = -1};
	const struct hp_ending *ending = &s->first.ending;
	int signal = WTERMSIG(ending->status);

	if (!ending->exec_errno && !s->c->stop)
		warnx("nothing to compare: the program was ended by signal %d "
		      "(%s)",
		      signal, strsignal(signal));
	return hp_verdict_status(s->job.argv[0], &nothing, ending, NULL);
}

/* it is watched instead of timed, and nothing is warm yet */
static int run_first(struct hp_session *s)
{
	const struct hp_ending *ending = &s->first.ending;
	struct hp_watch watch = {.present = 0};
	int status;

	hp_progress_step(&s->progress, 0, "plain, to learn its memory");
	run(s, hp_comparison_find(s->c, HP_ROLE_PLAIN), &watch, &s->c->first,
	    &s->first);
	status = show(s);
	if (ending->exec_errno || WIFSIGNALED(ending->status))
		return explain_first(s);
	return s->c->stop ? HP_STATUS_SIGNAL + s->c->stop : status;
}

static void note(struct hp_session *s, const struct hp_compare_arm *arm,
		 const struct hp_compare_run *figures, off_t byte)
{
	s->odd.plain |= !hp_compare_has_libhp(arm);
	if (s->odd.arm)
		return;
	s->odd.arm = arm;
	s->odd.status = figures->status;
	s->odd.byte = byte;
}

static void check(struct hp_session *s, const struct hp_compare_arm *arm,
		  const struct hp_compare_run *figures,
		  const struct hp_compare_trace *trace)
{
	off_t byte = -1;

	if (s->c->compares_output)
		byte = hp_scratch_difference(s->first.out, trace->out);
	if (figures->status == s->c->first.status && byte < 0)
		return;
	if (!s->odd.arm && figures->status != s->c->first.status) {
		hp_progress_clear(&s->progress);
		hp_scratch_show(trace->err, STDERR_FILENO);
	}
	note(s, arm, figures, byte);
}

static int not_loaded(struct hp_session *s,
		      const struct hp_compare_trace *trace)
{
	hp_progress_clear(&s->progress);
	s->c->doubt = HP_DOUBT_NOT_LOADED;
	return hp_verdict_unloaded(s->job.argv[0], trace->libhp);
}

/* a program ended by a signal had no chance to report */
static bool misses_libhp(const struct hp_session *s,
			 const struct hp_compare_arm *arm,
			 const struct hp_compare_run *figures,
			 const struct hp_compare_trace *trace)
{
	return hp_compare_has_libhp(arm) && !figures->loaded && !s->partial &&
	       !WIFSIGNALED(trace->ending.status);
}

static int run_warm(struct hp_session *s, struct hp_compare_arm *arm,
		    struct hp_compare_run *figures)
{
	struct hp_compare_run now = *figures;
	struct hp_compare_trace trace;
	int status = 0;

	run(s, arm, NULL, &now, &trace);
	if (s->c->stop)
		status = HP_STATUS_SIGNAL + s->c->stop;
	else if (misses_libhp(s, arm, &now, &trace))
		status = not_loaded(s, &trace);
	else
		check(s, arm, &now, &trace);
	if (now.done)
		*figures = now;
	hp_compare_trace_close(&trace);
	return status;
}

static int run_one(struct hp_session *s, struct hp_compare_arm *arm,
		   struct hp_compare_run *figures)
{
	double warmed = (double)hp_warm((uint64_t)s->peak);

	s->c->warmed = fmax(s->c->warmed, warmed);
	/* a program that starts after the signal would not have got it */
	s->c->stop = hp_relay_asked();
	return s->c->stop ? HP_STATUS_SIGNAL + s->c->stop
			  : run_warm(s, arm, figures);
}

static void explain_odd(const struct hp_session *s)
{
	const struct hp_odd_run *odd = &s->odd;

	if (odd->status != s->c->first.status)
		warnx("a run of '%s' ended with status %d, the first with %d%s",
		      odd->arm->name, odd->status, s->c->first.status,
		      odd->plain ? "; so it does without libhp as well"
				 : "; without libhp that did not happen");
	else if (odd->plain)
		warnx("the program's output is not the same in every run; "
		      "--ignore-output compares its time all the same");
	else
		warnx("output of '%s' differs from byte %lld on, and is always "
		      "the same without libhp; --ignore-output compares time "
		      "all the same",
		      odd->arm->name, (long long)odd->byte + 1);
}

/* after a whole round, which has two plain runs to tell whose fault it is */
static int end_round(struct hp_session *s)
{
	if (!s->odd.arm)
		return 0;
	hp_progress_clear(&s->progress);
	explain_odd(s);
	s->c->doubt = s->odd.status != s->c->first.status ? HP_DOUBT_STATUS
							  : HP_DOUBT_OUTPUT;
	return HP_STATUS_OWN_ERROR;
}

static int run_round(struct hp_session *s, unsigned int round)
{
	unsigned int order[HP_COMPARE_ARMS_MAX];
	int status = 0;

	for (unsigned int i = 0; i < s->c->n; i++)
		order[i] = i;
	hp_rng_shuffle(&s->rng, order, s->c->n);
	for (unsigned int i = 0; i < s->c->n && !status; i++) {
		struct hp_compare_arm *arm = &s->c->arm[order[i]];

		hp_progress_step(&s->progress, round + 1, arm->name);
		arm->runs[round].place = i + 1;
		status = run_one(s, arm, &arm->runs[round]);
	}
	return status ? status : end_round(s);
}

int hp_session_run(struct hp_session *s)
{
	double load;
	int status;

	hp_rng_seed(&s->rng, (uint64_t)time(NULL));
	hp_progress_init(&s->progress, s->c->n * s->c->rounds + 1);
	if (getloadavg(&load, 1) == 1)
		s->c->load = load;
	status = run_first(s);
	for (unsigned int i = 0; i < s->c->rounds && !status; i++)
		status = run_round(s, i);
	hp_progress_clear(&s->progress);
	hp_compare_trace_close(&s->first);
	return status ? status : s->c->first.status;
}
