/* SPDX-License-Identifier: MIT */
/*
 * case_munmap.c - unmap by the byte and by the small page, as runtimes do that
 * over-reserve and trim; what is gone faults, what is left keeps its bytes
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include "tests/case.h"

#define RW (PROT_READ | PROT_WRITE)

static sigjmp_buf out;

static void on_fault(int sig)
{
	siglongjmp(out, sig);
}

static void *map(size_t len, int prot)
{
	void *p = mmap(NULL, len, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	return p;
}

static int faults(volatile char *p)
{
	int sig = sigsetjmp(out, 1);

	if (!sig)
		*p = 1;
	return sig == SIGSEGV;
}

static void gone(char *p, size_t len)
{
	MUST(case_range_kb(p, len, "Size", NULL) == 0);
	MUST(faults(p) && faults(p + len - 1) && faults(p + len / 2));
}

/* a length that is no multiple of any page */
static void odd_length(size_t len)
{
	char *p = map(len, RW);
	size_t pages = (len + 4095) & ~(size_t)4095;

	memset(p, 1, len);
	MUST(case_all(p + len, pages - len, 0));
	MUST(!munmap(p, len));
	gone(p, pages);
	printf("%zu bytes unmapped\n", len);
}

/* V8: reserve, trim head and tail, commit what is left */
static void trimmed_reservation(void)
{
	char *p = map(2 * MIB, PROT_NONE);
	size_t head = 114688, tail = 933888, left = 2 * MIB - head - tail;

	MUST(!munmap(p, head) && !munmap(p + head + left, tail));
	MUST(!mprotect(p + head, left, RW));
	memset(p + head, 2, left);
	gone(p, head);
	gone(p + head + left, tail);
	MUST(case_all(p + head, left, 2) && !munmap(p + head, left));
	puts("trimmed reservation ok");
}

static void hole(size_t len)
{
	char *p = map(len, RW), *cut = p + len / 2;

	memset(p, 3, len);
	MUST(!munmap(cut, 4096));
	gone(cut, 4096);
	MUST(case_all(p, len / 2, 3));
	MUST(case_all(cut + 4096, len / 2 - 4096, 3));
	MUST(mmap(cut, 4096, RW, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		  0) == cut);
	MUST(case_all(cut, 4096, 0) && !munmap(p, len));
	gone(p, len);
	printf("hole in %zu bytes ok\n", len);
}

int main(void)
{
	struct sigaction act = {.sa_handler = on_fault};

	MUST(!sigaction(SIGSEGV, &act, NULL) && !sigaction(SIGBUS, &act, NULL));
	odd_length(5000);
	odd_length(100001);
	odd_length(2 * MIB + 1);
	odd_length(112721920 - 1);
	odd_length(112721920);
	trimmed_reservation();
	hole(8 * MIB);
	hole(256 * 1024);
	return 0;
}
