/* SPDX-License-Identifier: MIT */
/*
 * exam.h - one examination of this machine, container and environment
 *
 * Each hp_exam_ function looks at one thing and adds its findings. They read
 * through textfile.h, so that tests can put another machine in its place.
 */
#ifndef HP_EXAM_H
#define HP_EXAM_H

#include "libhp/doctor/finding.h"
#include "libhp/doctor/trial.h"
#include "libhp/options.h"
#include "libhp/pagesize.h"

struct hp_exam {
	struct hp_pagesizes ps;
	struct hp_options options; /* what hprun would be given: LIBHP_* */
	struct hp_trial trial;
	bool contained; /* in a container: settings belong to the host */
	struct hp_findings found;
};

enum hp_verdict { HP_VERDICT_GOOD, HP_VERDICT_LIMITED, HP_VERDICT_CANNOT };

/**
 * hp_exam_begin - what all others need: the machine's pages, LIBHP_*, a trial
 * @pages: kinds as for LIBHP_PAGES, or NULL: what that says
 * @slots: for hp_trial_run()
 *
 * Return: 0; -EINVAL bad @pages.
 */
int hp_exam_begin(struct hp_exam *x, const char *pages, unsigned int slots);

void hp_exam_kernel(struct hp_exam *x);	     /* kernel, kernel.calls */
void hp_exam_thp(struct hp_exam *x);	     /* thp.* from /sys */
void hp_exam_prctl(struct hp_exam *x);	     /* thp.prctl */
void hp_exam_trial(struct hp_exam *x);	     /* thp.fault, zero_page, collapse */
void hp_exam_pools(struct hp_exam *x);	     /* hugetlb.* */
void hp_exam_slots(struct hp_exam *x);	     /* memory.slots */
void hp_exam_cgroups(struct hp_exam *x);     /* cgroup.* */
void hp_exam_limits(struct hp_exam *x);	     /* limits.* */
void hp_exam_host(struct hp_exam *x);	     /* host.* */
void hp_exam_environment(struct hp_exam *x); /* env.* */

/* is @size, HP_RUNG_THP for THP, one of the kinds libhp would try? */
bool hp_exam_wants(const struct hp_exam *x, size_t size);

enum hp_verdict hp_exam_verdict(const struct hp_exam *x);
const char *hp_verdict_text(enum hp_verdict verdict);

#endif
