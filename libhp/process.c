/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "libhp/common.h"
#include "libhp/hp.h"
#include "libhp/smaps.h"
#include "libhp/text.h"

#define PATH_SIZE 48 /* "/proc/", ten digits, "/smaps_rollup" */

static void make_path(char *out, int pid, const char *file)
{
	out[0] = '\0';
	hp_text_append(out, PATH_SIZE, "/proc/");
	hp_text_append_u64(out, PATH_SIZE, (uint64_t)pid);
	hp_text_append(out, PATH_SIZE, "/");
	hp_text_append(out, PATH_SIZE, file);
}

static void add_mapping(const struct hp_smaps *m, void *arg)
{
	struct hp_process_backing *sum = arg;

	sum->present += m->rss + m->hugetlb;
	sum->huge += m->thp + m->hugetlb;
	sum->hugetlb += m->hugetlb;
	sum->thp += m->thp;
}

static int sum_file(int pid, const char *file, struct hp_process_backing *sum)
{
	char path[PATH_SIZE];

	memset(sum, 0, sizeof(*sum));
	if (pid == 0)
		return hp_smaps_visit_self(file, add_mapping, sum);
	make_path(path, pid, file);
	return hp_smaps_visit(path, add_mapping, sum);
}

HP_EXPORT int hp_process_query(int pid, struct hp_process_backing *out)
{
	struct hp_process_backing sum;
	int ret;

	if (pid < 0)
		return -EINVAL;
	ret = sum_file(pid, "smaps_rollup", &sum);
	/* before Linux 4.14; a refusal would only be repeated by smaps */
	if (ret == -ENOENT || ret == -ENODATA)
		ret = sum_file(pid, "smaps", &sum);
	if (ret == 0)
		*out = sum;
	return ret;
}
