/* SPDX-License-Identifier: MIT */
/*
 * compare_session.h - the runs of a comparison, until all are done or one
 * leaves nothing to compare
 */
#ifndef HP_COMPARE_SESSION_H
#define HP_COMPARE_SESSION_H

#include <stdbool.h>

#include "preload/compare_arms.h"
#include "preload/compare_progress.h"
#include "preload/compare_run.h"
#include "probe/rng.h"

/* the first run of a round that was not like the very first one */
struct hp_odd_run {
	const struct hp_compare_arm *arm; /* NULL: none */
	int status;
	off_t byte; /* where the output differs; -1 nowhere */
	bool plain; /* one without libhp was odd as well */
};

struct hp_session {
	struct hp_compare_job job;
	struct hp_comparison *c;
	struct hp_progress progress;
	struct hp_rng rng;
	bool shows_output; /* on standard output; errors are always shown */
	bool partial;	   /* LIBHP_ONLY leaves the program itself out */
	struct hp_compare_trace first;
	double peak; /* bytes, of any run so far */
	struct hp_odd_run odd;
};

/**
 * hp_session_run - the first run and all rounds
 * @s: job, c, shows_output and partial are set, all else is zero
 *
 * What a signal, an odd run or a program that libhp cannot enter cuts short
 * stays in @s->c as far as it got. Call it after hp_relay_hold().
 *
 * Return: hprun's exit status; one of its own was explained in one line.
 */
int hp_session_run(struct hp_session *s);

#endif
