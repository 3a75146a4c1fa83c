/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "libhp/cgroup.h"
#include "libhp/common.h"
#include "libhp/doctor/exam.h"
#include "libhp/doctor/room.h"
#include "libhp/size.h"
#include "libhp/textfile.h"
#include "libhp/tool/json.h"
#include "libhp/tool/tool.h"

#define FEW 64 /* slots of room */

static void not_found(struct hp_exam *x, const char *id, int err)
{
	hp_finding_add(&x->found, id, HP_STATE_UNKNOWN,
		       "no group is seen below /sys/fs/cgroup: %s",
		       strerror(-err));
}

/* a limit that could not be read is none only where the group can be seen */
static bool is_visible(const struct hp_cgroup *group)
{
	char path[sizeof(group->dir) + 32], text[16];
	ssize_t n;

	snprintf(path, sizeof(path), "%s/cgroup.procs", group->dir);
	n = hp_textfile_read(path, text, sizeof(text));
	return n >= 0 || n == -EFBIG;
}

static void add_limit(struct hp_finding *f, const char *what, uint64_t bytes)
{
	char size[HP_TOOL_BYTES], text[64];

	hp_finding_data(f, what, hp_json_count(bytes));
	if (bytes == HP_CGROUP_UNKNOWN)
		return;
	snprintf(text, sizeof(text), "%s %s", what, hp_tool_bytes(bytes, size));
	hp_finding_extend(f, text);
}

static void judge_room(struct hp_exam *x, struct hp_finding *f,
		       const struct hp_cgroup *g, uint64_t room)
{
	if (room == HP_CGROUP_UNKNOWN || room / x->ps.pmd >= FEW)
		return;
	f->state = HP_STATE_LIMITS;
	hp_finding_means(f, "a huge page is charged whole, and small ones come "
			    "when it does not fit");
	hp_finding_fix(f, "echo %s >'%s/memory.%s'", g->v2 ? "max" : "-1",
		       g->dir, g->v2 ? "max" : "limit_in_bytes");
}

static void exam_memory(struct hp_exam *x)
{
	static const char id[] = "cgroup.memory";
	struct hp_cgroup g;
	struct hp_finding *f;
	uint64_t limit, room, high;
	int ret = hp_cgroup_find(&g, "memory");

	if (ret) {
		not_found(x, id, ret);
		return;
	}
	limit = hp_cgroup_room(
		&g, g.v2 ? "memory.max" : "memory.limit_in_bytes", NULL);
	room = hp_room_read(&g);
	high = g.v2 ? hp_cgroup_room(&g, "memory.high", NULL)
		    : HP_CGROUP_UNKNOWN;
	f = hp_finding_add(&x->found, id,
			   is_visible(&g) ? HP_STATE_OK : HP_STATE_UNKNOWN,
			   "v%d", g.v2 ? 2 : 1);
	hp_finding_data(f, "version", json_object_new_int(g.v2 ? 2 : 1));
	hp_finding_data(f, "directory", hp_tool_json_text(g.dir));
	add_limit(f, "limit", limit);
	add_limit(f, "room", room);
	add_limit(f, "high", high);
	if (limit == HP_CGROUP_UNKNOWN)
		hp_finding_extend(f, f->state == HP_STATE_OK
					     ? "no limit"
					     : "cannot be read");
	judge_room(x, f, &g, hp_min(room, limit));
}

/* Kubernetes gives 0 pages of each size unless the pod asks */
static void judge_pool(const struct hp_exam *x, struct hp_finding *f,
		       const struct hp_cgroup *g, const struct hp_pool *p)
{
	char size[HP_SIZE_TEXT];

	hp_size_format(p->size, size);
	add_limit(f, size, p->cgroup_free);
	if (p->cgroup_free >= p->size || !hp_exam_wants(x, p->size))
		return;
	hp_finding_limits(f);
	hp_finding_means(f, "pages of %s are refused, whatever the pool has",
			 size);
	hp_finding_fix(f, "echo %s >'%s/hugetlb.%sB.%s'", g->v2 ? "max" : "-1",
		       g->dir, size, g->v2 ? "max" : "limit_in_bytes");
	hp_finding_advice(f, "in Kubernetes: resources.limits.hugepages-%si",
			  size);
}

static void exam_hugetlb(struct hp_exam *x)
{
	static const char id[] = "cgroup.hugetlb";
	struct hp_cgroup g;
	struct hp_finding *f;
	int ret = hp_cgroup_find(&g, "hugetlb");

	if (ret) {
		not_found(x, id, ret);
		return;
	}
	f = hp_finding_add(&x->found, id, HP_STATE_OK, "%s", "");
	for (unsigned int i = 0; i < x->ps.npools; i++)
		judge_pool(x, f, &g, &x->ps.pools[i]);
	if (f->value[0])
		return;
	if (!is_visible(&g))
		f->state = HP_STATE_UNKNOWN;
	hp_finding_extend(f, f->state == HP_STATE_OK ? "no limit"
						     : "cannot be read");
}

void hp_exam_cgroups(struct hp_exam *x)
{
	exam_memory(x);
	exam_hugetlb(x);
}
