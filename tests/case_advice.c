/* SPDX-License-Identifier: MIT */
/*
 * case_advice.c - the program advises its own block, frees it and takes the
 * next: "nohuge" or "huge". The advice calls work, and their mark on the
 * address must not decide over the next owner.
 */
#include <sys/mman.h>
#include "tests/case.h"

#define SIZE (8 * MIB)

static size_t whole_pages(char *p, char **start)
{
	*start = (char *)(((uintptr_t)p + 4095) & ~(uintptr_t)4095);
	return (size_t)(p + SIZE - *start) & ~(size_t)4095;
}

static void advised_block(int advice)
{
	char *p = malloc(SIZE), *start;
	size_t len;

	MUST(p);
	len = whole_pages(p, &start);
	MUST(!madvise(start, len, advice));
	memset(p, 1, SIZE);
	MUST(case_all(p, SIZE, 1));
	free(p);
}

int main(int argc, char **argv)
{
	int huge = argc > 1 && !strcmp(argv[1], "huge");
	char *q;

	for (int i = 0; i < 3; i++)
		advised_block(huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	q = malloc(SIZE);
	MUST(q);
	memset(q, 2, SIZE);
	case_figure("huge_kb", case_range_kb(q, SIZE, "AnonHugePages", NULL));
	MUST(case_all(q, SIZE, 2));
	free(q);
	puts("ok");
	return 0;
}
