/* SPDX-License-Identifier: MIT */
#include "libhp/common.h"
#include "libhp/doctor/buddy.h"
#include "libhp/doctor/exam.h"
#include "libhp/tool/tool.h"

#define FEW 64 /* slots: less than any program that gains wants */

#define SHARE 8 /* of free memory, so small a part in one piece is not much */

static bool is_scarce(const struct hp_exam *x, const struct hp_buddy *b)
{
	return b->slots < FEW || b->slots * x->ps.pmd < b->free / SHARE;
}

static bool is_little(const struct hp_exam *x, const struct hp_buddy *b)
{
	return b->free / x->ps.pmd < 2 * FEW;
}

/* what was had by trying counts more than an estimate */
static void judge(const struct hp_exam *x, const struct hp_buddy *b,
		  struct hp_finding *f)
{
	if (!is_scarce(x, b))
		return;
	if (x->trial.fault == HP_TRIAL_YES) {
		hp_finding_means(f, "the kernel could make room for those "
				    "that were tried");
		return;
	}
	f->state = HP_STATE_LIMITS;
	hp_finding_means(f, "%s",
			 is_little(x, b) ? "little memory is free at all"
					 : "free memory is in small pieces");
	hp_finding_fix(f, "echo 1 >/proc/sys/vm/compact_memory");
}

void hp_exam_slots(struct hp_exam *x)
{
	static const char id[] = "memory.slots";
	char bytes[HP_TOOL_BYTES], free[HP_TOOL_BYTES];
	struct hp_buddy b;
	struct hp_finding *f;
	int ret = hp_buddy_read(x->ps.base, x->ps.pmd, &b);

	if (ret) {
		hp_finding_unreadable(&x->found, id, HP_BUDDY_PATH, ret);
		return;
	}
	f = hp_finding_add(
		&x->found, id, HP_STATE_OK, "%ju in one piece, %s of %s free",
		(uintmax_t)b.slots, hp_tool_bytes(b.slots * x->ps.pmd, bytes),
		hp_tool_bytes(b.free, free));
	hp_finding_data(f, "slots", hp_json_count(b.slots));
	hp_finding_data(f, "free_bytes", hp_json_count(b.free));
	judge(x, &b, f);
}
