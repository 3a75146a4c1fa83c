/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "libhp/backing.h"
#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/smaps.h"

struct visit {
	uint64_t start, end;
	hp_mapping_fn fn;
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
		v->fn(&(struct hp_mapping){.start = vma.start,
					   .end = vma.end,
					   .hugetlb = vma.page_size >
						      hp_linux_page_size(),
					   .plain = vma.writable && !vma.file},
		      v->arg);
		at = vma.end;
	}
	return 0;
}

static void take_smaps(const struct hp_smaps *m, void *arg)
{
	const struct visit *v = arg;

	if (m->start < v->end && m->end > v->start)
		v->fn(&(struct hp_mapping){.start = m->start,
					   .end = m->end,
					   .hugetlb = m->is_hugetlb},
		      v->arg);
}

int hp_mapping_visit(uint64_t start, uint64_t end, hp_mapping_fn fn, void *arg)
{
	struct visit v = {start, end, fn, arg};
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

struct sum {
	uint64_t start, end;
	uint64_t bytes;
};

static void add_mapping(const struct hp_mapping *m, void *arg)
{
	struct sum *sum = arg;

	if (m->hugetlb)
		sum->bytes +=
			hp_min(m->end, sum->end) - hp_max(m->start, sum->start);
}

int hp_backing_hugetlb(uint64_t start, uint64_t end, uint64_t *out)
{
	struct sum sum = {start, end, 0};
	int ret = hp_mapping_visit(start, end, add_mapping, &sum);

	if (ret == 0)
		*out = sum.bytes;
	return ret;
}
