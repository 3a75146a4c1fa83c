/* SPDX-License-Identifier: MIT */
#include "libhp/promoter/job.h"

#include <stdlib.h>

#include "libhp/common.h"
#include "libhp/linux.h"

/* slots in a row: each of them compacted memory for nothing */
#define IN_VAIN 16

static bool reached(const struct hp_process_backing *p, unsigned int percent)
{
	return p->present &&
	       (double)p->huge * 100 >= (double)p->present * percent;
}

double hp_job_foresee(const struct hp_process_backing *now,
		      const struct hp_candidates *found, size_t slots)
{
	uint64_t huge = now->huge, present = now->present;

	for (size_t i = 0; i < slots; i++) {
		huge += found->slot;
		present += found->slot - found->list[i].present;
	}
	return present ? (double)huge / (double)present : 0;
}

/* what goes on while slots are promoted */
struct progress {
	struct hp_job *job;
	const struct hp_wish *wish;
	int pidfd;
	struct hp_process_backing now; /* by what was promoted */
	size_t in_vain;		       /* slots in a row without memory */
};

static void note(struct progress *p, const struct hp_candidate *c,
		 enum hp_outcome outcome)
{
	struct hp_job *job = p->job;

	job->outcomes[outcome]++;
	if (outcome != HP_OUTCOME_PROMOTED) {
		job->failures[job->nfailures++] =
			(struct hp_failure){c->start, outcome};
		return;
	}
	p->now.huge += job->slot;
	p->now.present += job->slot - c->present;
}

/* the sum is an estimate, as the process runs on: the kernel is asked last */
static bool is_enough(struct progress *p)
{
	if (p->wish->until >= 100 || !p->job->has_before ||
	    !reached(&p->now, p->wish->until))
		return false;
	if (hp_process_query(p->job->target.pid, &p->now))
		return false;
	return reached(&p->now, p->wish->until);
}

static enum hp_stop stop_for(struct progress *p, enum hp_outcome outcome)
{
	p->in_vain = outcome == HP_OUTCOME_NO_MEMORY ? p->in_vain + 1 : 0;
	if (outcome == HP_OUTCOME_ENDED)
		return HP_STOP_ENDED;
	if (outcome == HP_OUTCOME_DENIED)
		return HP_STOP_DENIED;
	if (p->in_vain == IN_VAIN)
		return HP_STOP_NO_MEMORY;
	return is_enough(p) ? HP_STOP_UNTIL : HP_STOP_NONE;
}

static enum hp_stop promote(struct progress *p, const struct hp_candidate *c)
{
	enum hp_outcome outcome;

	if (*p->wish->stop || !hp_pace_wait(p->wish->pace, p->job->slot))
		return HP_STOP_INTERRUPTED;
	outcome = hp_collapse_slot(p->pidfd, c->start, p->job->slot);
	note(p, c, outcome);
	return stop_for(p, outcome);
}

static int promote_all(struct hp_job *job, const struct hp_wish *wish,
		       int pidfd, hp_job_fn fn, void *arg)
{
	struct progress p = {
		.job = job, .wish = wish, .pidfd = pidfd, .now = job->before};
	uint64_t start = hp_pace_now();

	job->failures = calloc(job->found.n + 1, sizeof(*job->failures));
	if (!job->failures)
		return -ENOMEM;
	if (is_enough(&p))
		job->stop = HP_STOP_UNTIL;
	for (size_t i = 0; i < job->found.n && job->stop == HP_STOP_NONE; i++) {
		job->stop = promote(&p, &job->found.list[i]);
		fn(job, arg);
	}
	job->took = hp_pace_now() - start;
	return 0;
}

static int look(struct hp_job *job, const struct hp_wish *wish)
{
	job->slot = hp_slot_size();
	job->has_before = hp_process_query(job->target.pid, &job->before) == 0;
	return hp_candidates_find(job->target.pid, job->slot, wish->resident,
				  &job->found);
}

int hp_job_run(struct hp_job *job, const struct hp_wish *wish, hp_job_fn fn,
	       void *arg)
{
	int pidfd = hp_collapse_open(job->target.pid);
	int ret = pidfd;

	if (pidfd < 0)
		return ret;
	ret = look(job, wish);
	if (ret == 0 && !wish->dry_run) {
		ret = promote_all(job, wish, pidfd, fn, arg);
		job->has_after =
			hp_process_query(job->target.pid, &job->after) == 0;
	}
	hp_linux_close(pidfd);
	return ret;
}

void hp_job_clear(struct hp_job *job)
{
	hp_candidates_clear(&job->found);
	free(job->failures);
	job->failures = NULL;
}

/* without pagemap nothing is told of slots, so that none can be tried */
static bool is_blind(const struct hp_candidates *found)
{
	return found->unknown && found->n == 0 && found->huge == 0;
}

enum hp_success hp_job_success(const struct hp_job *job,
			       const struct hp_wish *wish)
{
	size_t promoted = job->outcomes[HP_OUTCOME_PROMOTED];

	if (wish->dry_run || job->stop == HP_STOP_UNTIL)
		return HP_SUCCESS_DONE;
	if ((job->nfailures && promoted == 0) || is_blind(&job->found))
		return HP_SUCCESS_CANNOT;
	if (job->nfailures || job->found.unknown || job->stop != HP_STOP_NONE)
		return HP_SUCCESS_PARTIAL;
	if (wish->until < 100 &&
	    !(job->has_after && reached(&job->after, wish->until)))
		return HP_SUCCESS_PARTIAL;
	return HP_SUCCESS_DONE;
}

const char *hp_stop_text(enum hp_stop stop)
{
	static const char *const words[] = {
		[HP_STOP_NONE] = NULL,
		[HP_STOP_UNTIL] = "until",
		[HP_STOP_INTERRUPTED] = "interrupted",
		[HP_STOP_NO_MEMORY] = "no-memory",
		[HP_STOP_ENDED] = "ended",
		[HP_STOP_DENIED] = "denied",
	};

	return words[stop];
}

const char *hp_success_text(enum hp_success success)
{
	static const char *const words[] = {
		[HP_SUCCESS_DONE] = "done",
		[HP_SUCCESS_PARTIAL] = "partial",
		[HP_SUCCESS_CANNOT] = "cannot",
	};

	return words[success];
}
