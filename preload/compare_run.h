/* SPDX-License-Identifier: MIT */
/*
 * compare_run.h - one run of one arm
 */
#ifndef HP_COMPARE_RUN_H
#define HP_COMPARE_RUN_H

#include <stdbool.h>
#include <sys/types.h>

#include "preload/compare_arms.h"
#include "preload/compare_watch.h"
#include "preload/launch.h"
#include "preload/result.h"

/* what all runs have in common */
struct hp_compare_job {
	char *const *argv;
	const char *preload; /* LD_PRELOAD of arms with libhp; NULL: hopeless */
	int input;
	off_t input_start;
};

/* what a run printed, and how it was cut short */
struct hp_compare_trace {
	int out, err; /* scratch files the caller closes; -1: none */
	int stop;     /* signal hprun got; 0: none */
	struct hp_ending ending;
	enum hp_result_state libhp; /* of arms with libhp */
};

/**
 * hp_compare_run - run the program once
 * @arm:   whose settings; of role PLAIN or CONTROL, without libhp
 * @watch: NULL: not to be looked at while it runs
 * @run:   receives figures and status; stays not done if it was stopped
 * @trace: receives the rest, in any case
 *
 * Prints nothing. Return: 0, also when the program could not be executed, which
 * @trace->ending tells; -errno there was no run.
 */
int hp_compare_run(const struct hp_compare_job *job,
		   const struct hp_compare_arm *arm, struct hp_watch *watch,
		   struct hp_compare_run *run, struct hp_compare_trace *trace);

void hp_compare_trace_close(struct hp_compare_trace *trace);

#endif
