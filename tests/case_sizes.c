/* SPDX-License-Identifier: MIT */
/*
 * case_sizes.c - zero, PTRDIFF_MAX, wrapping products: NULL or not, and errno;
 * the whole output must be glibc's
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <sys/mman.h>
#include "tests/case.h"

/* the compiler must neither warn about nor fold these sizes */
static size_t hide(size_t n)
{
	__asm__ volatile("" : "+r"(n));
	return n;
}

static void say(const char *what, const void *p)
{
	printf("%s: %s errno %d\n", what, p ? "block" : "NULL", errno);
	errno = 0;
}

static void too_big(void)
{
	void *p = NULL;
	int ret;

	say("malloc(PTRDIFF_MAX)", malloc(hide(PTRDIFF_MAX)));
	say("malloc(PTRDIFF_MAX+1)", malloc(hide((size_t)PTRDIFF_MAX + 1)));
	say("malloc(SIZE_MAX)", malloc(hide(SIZE_MAX)));
	for (size_t k = 0; k < 5; k++)
		say("malloc near a wrapping slot",
		    malloc(hide(SIZE_MAX - 2097151 + k - 2)));
	say("malloc near a wrapping page", malloc(hide(SIZE_MAX - 4095)));
	say("calloc(SIZE_MAX/2,3)", calloc(hide(SIZE_MAX / 2), 3));
	say("calloc(1<<33,1<<33)",
	    calloc(hide((size_t)1 << 33), hide((size_t)1 << 33)));
	say("reallocarray", reallocarray(NULL, hide(SIZE_MAX), 2));
	say("memalign", memalign(4096, hide(SIZE_MAX - 4096)));
	say("aligned_alloc", aligned_alloc(2 * MIB, hide(SIZE_MAX - MIB)));
	say("valloc", valloc(hide(SIZE_MAX - 1)));
	say("pvalloc", pvalloc(hide(SIZE_MAX - 1)));
	ret = posix_memalign(&p, 64, hide(SIZE_MAX - 64));
	printf("posix_memalign: %d\n", ret);
	printf("posix_memalign(3): %d\n", posix_memalign(&p, hide(3), 10));
}

static void kept_on_failure(void)
{
	/* volatile: the compiler takes any realloc for one that succeeds */
	unsigned char *volatile p = malloc(10000);

	MUST(p);
	memset(p, 7, 10000);
	errno = 0;
	say("realloc(p, PTRDIFF_MAX+1)",
	    realloc(p, hide((size_t)PTRDIFF_MAX + 1)));
	MUST(case_all(p, 10000, 7));
	free(p);
}

static void zero(void)
{
	void *a = malloc(hide(0)), *b = malloc(hide(0)), *p;

	MUST(a != b);
	say("malloc(0)", a);
	say("calloc(0,5)", calloc(hide(0), 5));
	say("realloc(NULL,0)", realloc(NULL, hide(0)));
	p = malloc(100);
	errno = 0;
	say("realloc(p,0)", realloc(p, hide(0)));
	free(a);
	free(b);
}

static void maps(void)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	void *p = mmap(NULL, hide(0), PROT_READ, flags, -1, 0);

	say("mmap(0)", p == MAP_FAILED ? NULL : p);
	p = mmap(NULL, hide(SIZE_MAX), PROT_READ, flags, -1, 0);
	say("mmap(SIZE_MAX)", p == MAP_FAILED ? NULL : p);
	p = mmap(NULL, hide(SIZE_MAX - 2 * MIB), PROT_READ | PROT_WRITE, flags,
		 -1, 0);
	say("mmap(SIZE_MAX - a slot)", p == MAP_FAILED ? NULL : p);
	printf("munmap(len 0): %d", munmap((void *)0x10000, hide(0)));
	printf(" errno %d\n", errno);
}

int main(void)
{
	errno = 0;
	too_big();
	kept_on_failure();
	zero();
	maps();
	return 0;
}
