/* SPDX-License-Identifier: MIT */
/*
 * case_sparse.c HOW [MIB] - take half a GiB, MIB at a time, and touch a page in
 * each 2 MiB of it; HOW "mixed" takes half by mmap, then half by malloc
 */
#include <sys/mman.h>
#include "tests/case.h"

#define TOTAL (512 * MIB)

static void *map(size_t len, int prot)
{
	void *p = mmap(NULL, len, prot,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	MUST(p != MAP_FAILED);
	return p;
}

static void *take(const char *how, size_t done, size_t len)
{
	void *p;

	if (!strcmp(how, "mixed"))
		how = done < TOTAL / 2 ? "map" : "malloc";
	if (!strcmp(how, "map"))
		return map(len, PROT_READ | PROT_WRITE);
	if (!strcmp(how, "reserve")) {
		p = map(len, PROT_NONE);
		MUST(!mprotect(p, len, PROT_READ | PROT_WRITE));
		return p;
	}
	if (!strcmp(how, "calloc"))
		return case_keep(calloc(1, len));
	return case_keep(malloc(len));
}

int main(int argc, char **argv)
{
	size_t part = argc > 2 ? strtoul(argv[2], NULL, 10) * MIB : TOTAL;

	MUST(argc > 1);
	for (size_t done = 0; done < TOTAL; done += part) {
		char *p = take(argv[1], done, part);

		MUST(p);
		for (size_t i = 0; i < part; i += 2 * MIB)
			p[i + 4096] = 1;
	}
	puts("ok");
	return 0;
}
