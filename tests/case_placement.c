/* SPDX-License-Identifier: MIT */
/*
 * case_placement.c - addresses and execute permission are the program's word:
 * MAP_32BIT, a hint, code in a mapped page
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include "tests/case.h"

#define RW (PROT_READ | PROT_WRITE)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS)

#ifdef __x86_64__
static void low_memory(void)
{
	uintptr_t top = 0;
	long blocks = 0;

	for (;; blocks++) {
		void *p = mmap(NULL, MIB, RW, ANON | MAP_32BIT, -1, 0);

		if (p == MAP_FAILED)
			break;
		if ((uintptr_t)p + MIB > top)
			top = (uintptr_t)p + MIB;
	}
	MUST(errno == ENOMEM && top <= 0x80000000u);
	case_figure("low_blocks", blocks);
	MUST(blocks >= 1000);
	puts("low memory ok");
}

/* mov $42, %eax; ret */
static const unsigned char code[] = {0xb8, 0x2a, 0, 0, 0, 0xc3};

static int call(void *p)
{
	return ((int (*)(void))p)();
}

static void executable(void)
{
	void *p = mmap(NULL, 4096, RW | PROT_EXEC, ANON, -1, 0);
	void *q = mmap(NULL, 128 * 1024, RW, ANON, -1, 0);

	MUST(p != MAP_FAILED && q != MAP_FAILED);
	memcpy(p, code, sizeof(code));
	memcpy(q, code, sizeof(code));
	MUST(!mprotect(q, 4096, PROT_READ | PROT_EXEC));
	printf("%d %d\n", call(p), call(q));
}
#endif

static void hinted(void)
{
	void *want = (void *)0x10000000;

	MUST(mmap(want, 64 * 1024, RW, ANON, -1, 0) == want);
	puts("hint ok");
}

int main(void)
{
	hinted();
#ifdef __x86_64__
	executable();
	low_memory();
#endif
	return 0;
}
