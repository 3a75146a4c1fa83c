/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/exam.h"

#include <stdio.h>
#include <stdlib.h>

/* a bad value counts as not set, as in the library; env.libhp tells */
static void read_options(struct hp_options *out)
{
	char name[64];

	hp_options_default(out);
	for (const char *const *n = hp_options_names; *n; n++) {
		const char *value;

		snprintf(name, sizeof(name), "LIBHP_%s", *n);
		value = getenv(name);
		if (value)
			(void)hp_options_set(out, name, value);
	}
}

int hp_exam_begin(struct hp_exam *x, const char *pages, unsigned int slots)
{
	int ret = 0;

	*x = (struct hp_exam){0};
	read_options(&x->options);
	if (pages)
		ret = hp_options_set(&x->options, "LIBHP_PAGES", pages);
	if (ret)
		return ret;
	hp_pagesizes_read(&x->ps);
	hp_trial_run(&x->ps, slots, &x->trial);
	return 0;
}

bool hp_exam_wants(const struct hp_exam *x, size_t size)
{
	for (unsigned int i = 0; i < x->options.nrungs; i++)
		if (x->options.rungs[i] == size)
			return true;
	return false;
}

static bool can_thp(const struct hp_exam *x)
{
	if (!hp_exam_wants(x, HP_RUNG_THP))
		return false;
	if (x->trial.fault == HP_TRIAL_UNKNOWN)
		return hp_pagesizes_thp_reason(&x->ps) == HP_REASON_NONE;
	return x->trial.huge > 0;
}

static bool can_hugetlb(const struct hp_exam *x)
{
	for (unsigned int i = 0; i < x->ps.npools; i++)
		if (hp_exam_wants(x, x->ps.pools[i].size) &&
		    x->trial.hugetlb[i] != HP_TRIAL_NO)
			return true;
	return false;
}

enum hp_verdict hp_exam_verdict(const struct hp_exam *x)
{
	if (!can_thp(x) && !can_hugetlb(x))
		return HP_VERDICT_CANNOT;
	/* what is not known is not good */
	if (hp_findings_count(&x->found, HP_STATE_OK) < x->found.n)
		return HP_VERDICT_LIMITED;
	return HP_VERDICT_GOOD;
}

const char *hp_verdict_text(enum hp_verdict verdict)
{
	static const char *const words[] = {
		[HP_VERDICT_GOOD] = "good",
		[HP_VERDICT_LIMITED] = "limited",
		[HP_VERDICT_CANNOT] = "cannot",
	};

	return words[verdict];
}
