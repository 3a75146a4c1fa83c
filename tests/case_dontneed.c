/* SPDX-License-Identifier: MIT */
/*
 * case_dontneed.c - MADV_DONTNEED gives zeroes for exactly the range named;
 * on a hugetlb page it would say 0 and do nothing
 */
#include <sys/mman.h>
#include "tests/case.h"

#define RW (PROT_READ | PROT_WRITE)

static void *map(size_t len)
{
	void *p = mmap(NULL, len, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	return p;
}

/* advise [from, from + len) of a filled mapping; the bytes around it stay */
static void forget(size_t size, size_t from, size_t len)
{
	unsigned char *p = map(size);
	int ret, freed;

	memset(p, 0xaa, size);
	ret = madvise(p + from, len, MADV_DONTNEED);
	printf("%zu+%zu of %zu: %d %02x %02x\n", from, len, size, ret, p[from],
	       p[from + len]);
	MUST(case_all(p, from, 0xaa) && case_all(p + from, len, 0));
	MUST(case_all(p + from + len, size - from - len, 0xaa));

	memset(p, 0xbb, size);
	freed = madvise(p + from, len, MADV_FREE);
	ret = madvise(p + from, len, MADV_DONTNEED);
	printf("free, then: %d %d %02x %02x\n", freed, ret, p[from],
	       p[from + len]);
	MUST(case_all(p + from, len, 0));
	MUST(case_all(p + from + len, size - from - len, 0xbb));
	MUST(!munmap(p, size));
}

int main(void)
{
	forget(4 * MIB, 0, 4096);
	forget(4 * MIB, 4096, 4096);
	forget(4 * MIB, 0, 2 * MIB + 4096);
	forget(4 * MIB, MIB, 2 * MIB);
	forget(8 * MIB, 2 * MIB, 4 * MIB);
	forget(256 * 1024, 0, 4096);
	forget(256 * 1024, 65536, 65536);
	return 0;
}
