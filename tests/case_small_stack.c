/* SPDX-License-Identifier: MIT */
/*
 * case_small_stack.c [thread|coroutine] - much memory is freed, grown, mapped
 * and unmapped on the smallest stack a thread may have and on 8 KiB of a
 * coroutine above a guard page; with an argument the program exits from there
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "tests/case.h"

#define BLOCKS 32000
#define BLOCK 5000
#define MAPS 256
#define MAP (256 << 10)
#define COROUTINE 8192

static char *blocks[BLOCKS], *maps[MAPS];
static const char *leave;
static ucontext_t outside, inside;

static char *map(size_t len)
{
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	*p = 1;
	return p;
}

static void fill(void)
{
	for (int i = 0; i < BLOCKS; i++)
		if (!blocks[i]) {
			MUST((blocks[i] = malloc(BLOCK)));
			memset(blocks[i], 1, BLOCK);
		}
	for (int i = 0; i < MAPS; i++)
		if (!maps[i])
			maps[i] = map(MAP);
}

/* all but every @kept-th, so that most slots become sparse, none empty */
static void drop(int kept)
{
	for (int i = 0; i < BLOCKS; i++)
		if (i % kept) {
			free(blocks[i]);
			blocks[i] = NULL;
		}
	for (int i = 0; i < MAPS; i++)
		if (i % kept) {
			MUST(!munmap(maps[i], MAP));
			maps[i] = NULL;
		}
}

static void grow(void)
{
	char *p = malloc(100), *q = map(5 * MIB);

	MUST(p && (p = realloc(p, 64 * MIB)));
	p[32 * MIB] = 1;
	free(p);
	q = mremap(q, 5 * MIB, 9 * MIB, MREMAP_MAYMOVE);
	MUST(q != MAP_FAILED && !mprotect(q, 4096, PROT_READ));
	MUST(!munmap(q, 9 * MIB));
}

static void settle(void)
{
	const struct timespec moment = {0, 120000000};

	nanosleep(&moment, NULL);
}

static void work(const char *where)
{
	drop(64);
	settle(); /* what is free goes back a while after it was freed */
	grow();
	fill();
	drop(2);
	grow();
	if (leave && !strcmp(leave, where))
		exit(7);
}

static void *in_thread(void *unused)
{
	work("thread");
	return unused;
}

static void run_thread(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	MUST(!pthread_attr_init(&attr));
	MUST(!pthread_attr_setstacksize(&attr, (size_t)PTHREAD_STACK_MIN));
	MUST(!pthread_create(&thread, &attr, in_thread, NULL));
	MUST(!pthread_join(thread, NULL));
}

static void in_coroutine(void)
{
	work("coroutine");
}

static void run_coroutine(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *stack = mmap(NULL, page + COROUTINE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	MUST(stack != MAP_FAILED && !mprotect(stack, page, PROT_NONE));
	MUST(!getcontext(&inside));
	inside.uc_stack.ss_sp = stack + page;
	inside.uc_stack.ss_size = COROUTINE;
	inside.uc_link = &outside;
	makecontext(&inside, in_coroutine, 0);
	MUST(!swapcontext(&outside, &inside));
}

int main(int argc, char **argv)
{
	leave = argc > 1 ? argv[1] : NULL;
	puts("begun");
	fflush(stdout);
	fill();
	run_thread();
	fill();
	run_coroutine();
	puts("ok");
	return 0;
}
