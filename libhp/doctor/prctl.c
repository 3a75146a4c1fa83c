/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "libhp/common.h"
#include "libhp/doctor/exam.h"
#include "libhp/linux.h"
#include "libhp/tool/target.h"

#define DEPTH 64 /* ancestors; a loop is not possible, a long chain is */

/* the farthest ancestor in one line that has the flag: it, or its parent */
static bool find_origin(struct hp_target *out)
{
	struct hp_target t;
	bool found = false;
	pid_t pid;

	if (hp_target_look(hp_linux_getpid(), &t))
		return false;
	pid = t.parent;
	for (int i = 0; i < DEPTH && pid > 0; i++) {
		if (hp_target_look(pid, &t) || t.thp != 0)
			break;
		*out = t;
		found = true;
		pid = t.parent;
	}
	return found;
}

static void blame(struct hp_finding *f)
{
	struct hp_target origin;

	hp_finding_advice(f, "do not call prctl(PR_SET_THP_DISABLE, 1); in a "
			     "systemd unit, leave MemoryTHP= out");
	if (!find_origin(&origin))
		return;
	hp_finding_extend(f, "inherited");
	hp_finding_advice(f,
			  "start it elsewhere than below PID %d (%s), which "
			  "has PR_SET_THP_DISABLE set, too",
			  (int)origin.pid, origin.name);
	hp_finding_data(f, "inherited_from", json_object_new_int(origin.pid));
}

void hp_exam_prctl(struct hp_exam *x)
{
	static const char id[] = "thp.prctl";
	struct hp_finding *f;

	if (x->ps.prctl < 0) {
		hp_finding_add(&x->found, id, HP_STATE_UNKNOWN,
			       "PR_GET_THP_DISABLE: %s",
			       strerror(-x->ps.prctl));
		return;
	}
	f = hp_finding_add(&x->found, id, HP_STATE_OK, "%s",
			   x->ps.prctl == 0   ? "not disabled"
			   : x->ps.prctl == 3 ? "disabled except where advised"
					      : "disabled");
	hp_finding_data(f, "flag", json_object_new_int(x->ps.prctl));
	if (x->ps.prctl == 3)
		hp_finding_means(f, "libhp's memory is advised");
	if (x->ps.prctl != 1)
		return;
	f->state = HP_STATE_LIMITS;
	hp_finding_means(f, "this process and all it starts get no huge page");
	blame(f);
}
