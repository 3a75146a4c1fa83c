/* SPDX-License-Identifier: MIT */
#include "libhp/mapping.h"

#include <fcntl.h>

#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/machine.h"
#include "libhp/smaps.h"

struct visit {
	uint64_t start, end;
	void (*fn)(const struct hp_mapping *mapping, void *arg);
	void *arg;
};

static int ask_kernel(int maps, const struct visit *v)
{
	uint64_t at = v->start;

	while (at < v->end) {
		struct hp_vma vma;
		int ret = hp_linux_vma(maps, at, &vma);

		if (ret == -ENOENT)
			return 0;
		if (ret < 0)
			return ret;
		if (vma.start >= v->end)
			return 0;
		v->fn(&(struct hp_mapping){
			      vma.start, vma.end,
			      vma.page_size > hp_machine()->base },
		      v->arg);
		at = vma.end;
	}
	return 0;
}

static void take_smaps(const struct hp_smaps *m, void *arg)
{
	const struct visit *v = arg;

	if (m->start < v->end && m->end > v->start)
		v->fn(&(struct hp_mapping){ m->start, m->end, m->is_hugetlb },
		      v->arg);
}

int hp_mapping_visit(uint64_t start, uint64_t end,
		     void (*fn)(const struct hp_mapping *mapping, void *arg),
		     void *arg)
{
	struct visit v = { start, end, fn, arg };
	/* thread-self, as self is empty once the first thread has left */
	int maps = hp_linux_open("/proc/thread-self/maps", O_RDONLY, 0);
	int ret = maps;

	if (maps >= 0) {
		ret = ask_kernel(maps, &v);
		hp_linux_close(maps);
	}
	if (ret == -ENOTTY || ret == -ENOENT)
		ret = hp_smaps_visit("/proc/self/smaps", take_smaps, &v);
	return ret;
}
