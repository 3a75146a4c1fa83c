/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "libhp/doctor/exam.h"

static const char *result_text(enum hp_trial_result result)
{
	static const char *const words[] = {
		[HP_TRIAL_UNKNOWN] = "unknown",
		[HP_TRIAL_NO] = "no",
		[HP_TRIAL_YES] = "yes",
	};

	return words[result];
}

static struct hp_finding *untried(struct hp_exam *x, const char *id)
{
	const struct hp_trial *t = &x->trial;

	return hp_finding_add(
		&x->found, id, HP_STATE_UNKNOWN, "%s",
		t->wanted    ? "tried, but the kernel does not show the result"
		: t->skipped ? "not tried: too little free memory"
		: t->refused ? "not tried: no address space for a slot, see "
			       "limits.rlimit"
			     : "not tried");
}

/* a setting that forbids it has a line of its own */
static const char *blame(const struct hp_exam *x)
{
	if (x->trial.advice == HP_TRIAL_NO)
		return "the kernel refuses MADV_HUGEPAGE: no transparent huge "
		       "pages compiled in";
	switch (hp_pagesizes_thp_reason(&x->ps)) {
	case HP_REASON_PRCTL:
		return "see thp.prctl";
	case HP_REASON_SIZE_DISABLED:
		return "see thp.size";
	case HP_REASON_SYSFS_NEVER:
		return "see thp.enabled";
	default:
		return "no free memory in one piece, or a memory cgroup at its "
		       "limit";
	}
}

static void exam_fault(struct hp_exam *x)
{
	const struct hp_trial *t = &x->trial;
	struct hp_finding *f;

	if (t->fault == HP_TRIAL_UNKNOWN) {
		untried(x, "thp.fault");
		return;
	}
	f = hp_finding_add(&x->found, "thp.fault", HP_STATE_OK,
			   "%u of %u slots huge at first touch", t->huge,
			   t->touched);
	if (t->wanted < t->asked)
		hp_finding_means(f,
				 "%u were asked for, but trying takes no more "
				 "than an eighth of available memory, and what "
				 "rlimits allow",
				 t->asked);
	hp_finding_data(f, "tried", json_object_new_int((int)t->touched));
	hp_finding_data(f, "huge", json_object_new_int((int)t->huge));
	if (t->fault == HP_TRIAL_YES)
		return;
	f->state = HP_STATE_LIMITS;
	hp_finding_means_too(f, "%s", blame(x));
}

/* where a first write makes no huge page there is nothing to add */
static void exam_late_write(struct hp_exam *x)
{
	const struct hp_trial *t = &x->trial;
	struct hp_finding *f;

	if (t->fault != HP_TRIAL_YES || t->late == HP_TRIAL_UNKNOWN)
		return;
	f = hp_finding_add(&x->found, "thp.zero_page", HP_STATE_OK,
			   "memory that was read first is huge, too");
	hp_finding_data(f, "late_write",
			json_object_new_string(result_text(t->late)));
	if (t->late == HP_TRIAL_YES)
		return;
	f->state = HP_STATE_LIMITS;
	snprintf(f->value, sizeof(f->value),
		 "memory that was read first stays small");
	hp_finding_means(f,
			 "reading maps the zero page, which is cut up when it "
			 "is written to: calloc and then += gets small pages");
	hp_finding_fix(f, "echo 0 >/sys/kernel/mm/transparent_hugepage/"
			  "use_zero_page");
	hp_finding_advice(f, "Linux 6.13 or newer puts a huge page there");
}

static void exam_collapse(struct hp_exam *x)
{
	const struct hp_trial *t = &x->trial;
	struct hp_finding *f;

	if (t->collapse == HP_TRIAL_UNKNOWN) {
		untried(x, "thp.collapse");
		return;
	}
	f = hp_finding_add(&x->found, "thp.collapse",
			   t->collapse == HP_TRIAL_YES ? HP_STATE_OK
						       : HP_STATE_LIMITS,
			   "%s",
			   t->collapse == HP_TRIAL_YES ? "works"
			   : t->collapse_error ? strerror(-t->collapse_error)
					       : "no effect");
	hp_finding_data(f, "works",
			json_object_new_string(result_text(t->collapse)));
	hp_finding_means(f, "%s",
			 t->collapse == HP_TRIAL_YES
				 ? "small pages can be made huge later"
				 : "small pages cannot be made huge later, and "
				   "hppromote cannot work");
}

void hp_exam_trial(struct hp_exam *x)
{
	exam_fault(x);
	exam_late_write(x);
	exam_collapse(x);
}
