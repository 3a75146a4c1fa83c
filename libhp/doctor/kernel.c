/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>

#include "libhp/common.h"
#include "libhp/doctor/exam.h"
#include "libhp/linux.h"
#include "libhp/size.h"

/* 1: the call exists; 0: it said @absent; -errno: could not be found out */
static int has(int ret, int absent)
{
	if (ret == absent)
		return 0;
	return ret < 0 ? ret : 1;
}

static int has_advice(int advice)
{
	/* on no bytes only the number is checked */
	return has(hp_linux_advise(NULL, 0, advice), -EINVAL);
}

static int has_populate(void)
{
	return has_advice(MADV_POPULATE_WRITE);
}

static int has_collapse(void)
{
	return has_advice(MADV_COLLAPSE);
}

static int has_scan(void)
{
	const struct hp_scan_want want = {.all = HP_SCAN_PRESENT};
	struct hp_scan_range range;
	uint64_t walked, at = (uintptr_t)&range & -hp_linux_page_size();
	int ret, pagemap;

	pagemap = hp_linux_open("/proc/thread-self/pagemap", O_RDONLY, 0);
	if (pagemap < 0)
		return pagemap;
	ret = hp_linux_scan(pagemap, at, at + hp_linux_page_size(), &want,
			    &range, 1, &walked);
	hp_linux_close(pagemap);
	return has(ret, -ENOTTY);
}

static int has_query(void)
{
	struct hp_vma vma;
	int ret, maps = hp_linux_open("/proc/thread-self/maps", O_RDONLY, 0);

	if (maps < 0)
		return maps;
	ret = hp_linux_vma(maps, (uintptr_t)&vma, &vma);
	hp_linux_close(maps);
	return has(ret, -ENOTTY);
}

static int has_process_advice(void)
{
	int pidfd = hp_linux_pidfd(hp_linux_getpid());
	ssize_t ret;

	if (pidfd < 0)
		return pidfd == -ENOSYS ? 0 : pidfd;
	ret = hp_linux_advise_process(pidfd, NULL, 0, MADV_COLLAPSE);
	hp_linux_close(pidfd);
	return ret == -ENOSYS ? 0 : has((int)ret, -EINVAL);
}

static const struct call {
	const char *name, *since;
	int (*has)(void);
	const char *lost; /* without it */
} calls[] = {
	{"MADV_POPULATE_WRITE", "5.14", has_populate,
	 "hugetlb pages cannot be taken safely"},
	{"MADV_COLLAPSE", "6.1", has_collapse,
	 "memory touched small stays small until khugepaged comes"},
	{"process_madvise", "6.1", has_process_advice, "hppromote cannot work"},
	{"PAGEMAP_SCAN", "6.7", has_scan,
	 "asking for coverage is slow, and where huge and small pages are "
	 "mixed "
	 "not all of it is told"},
	{"PROCMAP_QUERY", "6.11", has_query,
	 "telling hugetlb from other mappings is slow"},
};

static void add_call(struct hp_finding *f, const struct call *call)
{
	int has = call->has();

	hp_finding_data(f, call->name,
			has < 0 ? NULL : json_object_new_boolean(has));
	if (has > 0)
		return;
	hp_finding_extend(f, call->name);
	if (has == 0) {
		f->state = HP_STATE_LIMITS;
		hp_finding_means_too(f, "without %s, %s", call->name,
				     call->lost);
		hp_finding_advice(f, "Linux %s or newer has %s", call->since,
				  call->name);
	} else {
		if (f->state == HP_STATE_OK)
			f->state = HP_STATE_UNKNOWN;
		hp_finding_means_too(f, "%s could not be asked for: %s",
				     call->name, strerror(-has));
	}
}

static void exam_calls(struct hp_exam *x)
{
	struct hp_finding *f = hp_finding_add(&x->found, "kernel.calls",
					      HP_STATE_OK, "%s", "");

	for (size_t i = 0; i < HP_ARRAY_SIZE(calls); i++)
		add_call(f, &calls[i]);
	if (!f->value[0])
		hp_finding_extend(f, "all that libhp uses");
}

void hp_exam_kernel(struct hp_exam *x)
{
	char base[HP_SIZE_TEXT], slot[HP_SIZE_TEXT];
	struct utsname u;
	struct hp_finding *f;

	uname(&u);
	f = hp_finding_add(&x->found, "kernel", HP_STATE_OK,
			   "%s %s %s, %s pages, %s slots%s", u.sysname,
			   u.release, u.machine,
			   hp_size_format(x->ps.base, base),
			   hp_size_format(x->ps.pmd, slot),
			   x->ps.pmd_known ? "" : " (derived)");
	hp_finding_data(f, "release", json_object_new_string(u.release));
	hp_finding_data(f, "machine", json_object_new_string(u.machine));
	hp_finding_data(f, "page_bytes", hp_json_count(x->ps.base));
	hp_finding_data(f, "slot_bytes", hp_json_count(x->ps.pmd));
	exam_calls(x);
}
