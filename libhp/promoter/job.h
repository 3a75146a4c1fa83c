/* SPDX-License-Identifier: MIT */
/*
 * job.h - promote the memory of one process
 */
#ifndef HP_JOB_H
#define HP_JOB_H

#include <signal.h>
#include <stdbool.h>

#include "libhp/hp.h"
#include "libhp/promoter/candidate.h"
#include "libhp/promoter/collapse.h"
#include "libhp/promoter/pace.h"
#include "libhp/tool/target.h"

/* what is asked for */
struct hp_wish {
	unsigned int until;    /* percent of coverage to stop at; 100: all */
	unsigned int resident; /* percent of a slot that must be present */
	bool dry_run;
	struct hp_pace *pace;		   /* shared by all jobs */
	const volatile sig_atomic_t *stop; /* set by a signal */
};

/* why it ended before the last slot */
enum hp_stop {
	HP_STOP_NONE,
	HP_STOP_UNTIL,	     /* coverage reached */
	HP_STOP_INTERRUPTED, /* by a signal */
	HP_STOP_NO_MEMORY,   /* many slots in a row found no memory */
	HP_STOP_ENDED,	     /* the process ended */
	HP_STOP_DENIED,	     /* it took other privileges */
};

struct hp_failure {
	uint64_t start;
	enum hp_outcome outcome;
};

struct hp_job {
	struct hp_target target;
	uint64_t slot; /* bytes */
	struct hp_candidates found;
	bool has_before, has_after;
	struct hp_process_backing before, after;
	size_t outcomes[HP_OUTCOME_COUNT]; /* slots */
	struct hp_failure *failures; /* as many as outcomes but promoted */
	size_t nfailures;
	enum hp_stop stop;
	uint64_t took; /* nanoseconds */
};

/* called after every slot */
typedef void (*hp_job_fn)(const struct hp_job *job, void *arg);

/**
 * hp_job_run - hp_job_clear() it afterwards, also on failure
 * @job: target is filled in
 *
 * Return: 0, job->stop and the outcomes tell; -errno: nothing was done, see
 * hp_collapse_obstacle().
 */
int hp_job_run(struct hp_job *job, const struct hp_wish *wish, hp_job_fn fn,
	       void *arg);
void hp_job_clear(struct hp_job *job);

/* bytes of huge over bytes present, were all of @slots more promoted; pure */
double hp_job_foresee(const struct hp_process_backing *now,
		      const struct hp_candidates *found, size_t slots);

enum hp_success {
	HP_SUCCESS_DONE,    /* everything asked for */
	HP_SUCCESS_PARTIAL, /* some failed or unknown, coverage not reached */
	HP_SUCCESS_CANNOT,  /* not one of them, or none could be seen */
};
enum hp_success hp_job_success(const struct hp_job *job,
			       const struct hp_wish *wish);

const char *hp_stop_text(enum hp_stop stop);
const char *hp_success_text(enum hp_success success);

#endif
