/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "libhp/common.h"
#include "libhp/doctor/exam.h"
#include "libhp/linux.h"
#include "libhp/textfile.h"
#include "libhp/tool/tool.h"

#define ENOUGH (64 * HP_GIB) /* address space nobody misses more of */

static const struct kind {
	const char *name;
	int resource;
	const char *option; /* of ulimit(1) */
	const char *means;
} kinds[] = {
	{"AS", RLIMIT_AS, "v", "libhp reserves less address space at once"},
	{"DATA", RLIMIT_DATA, "d", "private memory of any kind counts"},
};

static void add_kind(struct hp_finding *f, const struct kind *kind)
{
	struct rlimit limit;
	char size[HP_TOOL_BYTES], text[48];
	int ret = hp_linux_getrlimit(kind->resource, &limit);

	hp_finding_data(
		f, kind->name,
		ret || limit.rlim_cur == RLIM_INFINITY
			? NULL
			: json_object_new_int64((int64_t)limit.rlim_cur));
	if (ret || limit.rlim_cur == RLIM_INFINITY)
		return;
	snprintf(text, sizeof(text), "%s %s", kind->name,
		 hp_tool_bytes(limit.rlim_cur, size));
	hp_finding_extend(f, text);
	if (limit.rlim_cur >= ENOUGH)
		return;
	f->state = HP_STATE_LIMITS;
	hp_finding_means_too(f, "%s", kind->means);
	hp_finding_own_fix(f, "ulimit -S -%s unlimited", kind->option);
}

static void exam_rlimits(struct hp_exam *x)
{
	struct hp_finding *f = hp_finding_add(&x->found, "limits.rlimit",
					      HP_STATE_OK, "%s", "");

	for (size_t i = 0; i < HP_ARRAY_SIZE(kinds); i++)
		add_kind(f, &kinds[i]);
	if (!f->value[0])
		hp_finding_extend(f, "AS and DATA unlimited");
}

static void exam_overcommit(struct hp_exam *x)
{
	static const char id[] = "limits.overcommit";
	static const char path[] = "/proc/sys/vm/overcommit_memory";
	uint64_t mode;
	struct hp_finding *f;
	int ret = hp_textfile_u64(path, &mode);

	if (ret) {
		hp_finding_unreadable(&x->found, id, path, ret);
		return;
	}
	f = hp_finding_add(&x->found, id, HP_STATE_OK, "%ju", (uintmax_t)mode);
	hp_finding_data(f, "mode", hp_json_count(mode));
	hp_finding_means(f, "reserved address space is free");
	if (mode != 2)
		return;
	f->state = HP_STATE_LIMITS;
	hp_finding_means(f, "slots count against CommitLimit as soon as they "
			    "are writable, touched or not");
	hp_finding_fix(f, "echo 0 >%s", path);
}

static void exam_maps(struct hp_exam *x)
{
	static const char id[] = "limits.maps";
	static const char path[] = "/proc/sys/vm/max_map_count";
	uint64_t most;
	struct hp_finding *f;
	int ret = hp_textfile_u64(path, &most);

	if (ret) {
		hp_finding_unreadable(&x->found, id, path, ret);
		return;
	}
	f = hp_finding_add(&x->found, id, HP_STATE_OK, "%ju mappings",
			   (uintmax_t)most);
	hp_finding_data(f, "max_map_count", hp_json_count(most));
	if (most >= 65530) /* the kernel's default */
		return;
	f->state = HP_STATE_LIMITS;
	hp_finding_means(f, "below the default: programs with many mappings "
			    "run into ENOMEM");
	hp_finding_fix(f, "echo 65530 >%s", path);
}

void hp_exam_limits(struct hp_exam *x)
{
	exam_rlimits(x);
	exam_overcommit(x);
	exam_maps(x);
}
