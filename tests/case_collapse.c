/* SPDX-License-Identifier: MIT */
/*
 * case_collapse.c - what the kernel promises of MADV_COLLAPSE: EINVAL for a
 * range never touched, 0 for a touched one; and 0 or EINVAL, with nothing
 * done, for a range that holds no whole slot, so 0 proves nothing
 */
#include <sys/mman.h>
#include "tests/case.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

int main(void)
{
	long slot = 0;
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
			"r");
	char *map, *p;
	size_t size;

	if (!f || fscanf(f, "%ld", &slot) != 1)
		return 77;
	size = (size_t)slot;
	map = mmap(NULL, 4 * size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MUST(map != MAP_FAILED);
	p = (char *)(((uintptr_t)map + size - 1) & ~(size - 1));
	MUST(madvise(p, size, MADV_COLLAPSE) == -1 && errno == EINVAL);
	for (size_t i = 0; i < size; i += 4096)
		p[i] = 1;
	MUST(!madvise(p + 4096, size, MADV_COLLAPSE) || errno == EINVAL);
	MUST(case_range_kb(p, size, "AnonHugePages", NULL) == 0);
	if (madvise(p, size, MADV_COLLAPSE)) {
		perror("collapse of a touched range");
		return errno == EINVAL || errno == ENOMEM ? 77 : 1;
	}
	MUST(case_range_kb(p, size, "AnonHugePages", NULL) >=
	     (long)(size / 1024));
	return 0;
}
