/* SPDX-License-Identifier: MIT */
/*
 * case_live_storm.c - sixteen threads that map, unmap, protect, empty, allocate
 * and free until SIGTERM comes, and check that every byte is what they wrote
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

enum { THREADS = 16, PAGE = 4096 };

static volatile int over;

static void check(const unsigned char *p, size_t n, unsigned char value)
{
	for (size_t i = 0; i < n; i += 997)
		MUST(p[i] == value);
}

static void map_once(size_t len, unsigned char value)
{
	unsigned char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	memset(p, value, len);
	check(p, len, value);
	MUST(!mprotect(p + PAGE, PAGE, PROT_NONE));
	MUST(!mprotect(p + PAGE, PAGE, PROT_READ | PROT_WRITE));
	check(p, len, value);
	MUST(!madvise(p + 2 * PAGE, PAGE, MADV_DONTNEED));
	MUST(p[2 * PAGE] == 0);
	MUST(!munmap(p, len / 2));
	MUST(!munmap(p + len / 2, len / 2));
}

static void allocate_once(size_t len, unsigned char value)
{
	unsigned char *p = case_keep(malloc(len));

	MUST(p);
	memset(p, value, len);
	p = case_keep(realloc(p, 2 * len));
	check(p, len, value);
	free(p);
}

static void *storm(void *arg)
{
	unsigned int seed = (unsigned int)(uintptr_t)arg;

	while (!over) {
		size_t len = (size_t)(1 + rand_r(&seed) % 64) * 16 * PAGE;

		map_once(len, (unsigned char)seed | 1);
		allocate_once(len / 3, (unsigned char)seed | 1);
	}
	return NULL;
}

static void fork_once(void)
{
	pid_t child = fork();
	int status;

	MUST(child >= 0);
	if (!child) {
		allocate_once(1 << 20, 3);
		map_once(1 << 20, 5);
		_exit(0);
	}
	MUST(waitpid(child, &status, 0) == child && status == 0);
}

static void end_storm(int signal)
{
	(void)signal;
	over = 1;
}

int main(void)
{
	pthread_t threads[THREADS];
	unsigned char *kept = case_keep(malloc(96 * MIB));

	signal(SIGTERM, end_storm);
	memset(kept, 7, 96 * MIB);
	for (uintptr_t i = 0; i < THREADS; i++)
		MUST(!pthread_create(&threads[i], NULL, storm, (void *)i));
	while (!over) {
		fork_once();
		usleep(20000);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	check(kept, 96 * MIB, 7);
	free(kept);
	puts("all bytes are what was written");
	return 0;
}
