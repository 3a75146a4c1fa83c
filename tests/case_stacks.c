/* SPDX-License-Identifier: MIT */
/*
 * case_stacks.c - 200 threads on default stacks, each touching 8 KiB, and a
 * mapping that grows down
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include "tests/case.h"

#define THREADS 200

static pthread_barrier_t all_up, all_seen;

static void *touch(void *arg)
{
	volatile char frame[8192];

	for (size_t i = 0; i < sizeof(frame); i += 4096)
		frame[i] = 1;
	pthread_barrier_wait(&all_up);
	pthread_barrier_wait(&all_seen);
	(void)frame[0];
	return arg;
}

static void threads(void)
{
	pthread_t t[THREADS];
	long before = case_present_kb();

	MUST(!pthread_barrier_init(&all_up, NULL, THREADS + 1));
	MUST(!pthread_barrier_init(&all_seen, NULL, THREADS + 1));
	for (int i = 0; i < THREADS; i++)
		MUST(!pthread_create(&t[i], NULL, touch, NULL));
	pthread_barrier_wait(&all_up);
	case_figure("stacks_kb", case_present_kb() - before);
	pthread_barrier_wait(&all_seen);
	for (int i = 0; i < THREADS; i++)
		MUST(!pthread_join(t[i], NULL));
	puts("threads ok");
}

/* an address with nothing near it: the kernel keeps a gap below a stack */
static char *lonely_address(void)
{
	char *p = mmap(NULL, 64 * MIB, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	MUST(p != MAP_FAILED && !munmap(p, 64 * MIB));
	return p + 32 * MIB;
}

static void grows_down(void)
{
	char flags[256] = "";
	char *want = lonely_address();
	char *p = mmap(want, 64 * 1024, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_STACK,
		       -1, 0);

	MUST(p == want);
	case_range_kb(p, 4096, "Rss", flags);
	MUST(strstr(flags, " gd") && !strstr(flags, " hg"));
	p[0] = 1;
	p[-1] = 1;
	p[-4096] = 1;
	puts("grows down ok");
}

/* wherever the kernel puts it: there must be room below */
static void grows_down_anywhere(void)
{
	char *p = mmap(NULL, 512 * 1024, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0);

	MUST(p != MAP_FAILED);
	for (int i = 1; i <= 64; i++)
		p[-4096 * i] = 1;
	MUST(!munmap(p - 4096 * 64, 512 * 1024 + 4096 * 64));
}

int main(void)
{
	grows_down_anywhere();
	grows_down();
	threads();
	return 0;
}
