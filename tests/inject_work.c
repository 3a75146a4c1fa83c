/* SPDX-License-Identifier: MIT */
/*
 * inject_work.c - a little of everything libhp does, for tests/inject.sh
 *
 * Heap of all sizes, freed and grown, a second thread, a fork, mappings of the
 * program's own. What the kernel refuses once may fail once, as without libhp:
 * then it is asked for again. Nothing that was there may change meanwhile.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define BLOCKS 3000

static unsigned char *block[BLOCKS];

static size_t size_of(size_t i)
{
	return 16 + i * 7919 % 20000;
}

static void *fill(void *arg)
{
	for (size_t i = (size_t)arg; i < BLOCKS; i += 2) {
		MUST((block[i] = malloc(size_of(i))) ||
		     (block[i] = malloc(size_of(i))));
		memset(block[i], (int)(i % 251), size_of(i));
	}
	return NULL;
}

static void check(size_t i)
{
	MUST(block[i][0] == i % 251 && block[i][size_of(i) - 1] == i % 251);
}

static void churn(void)
{
	pthread_t thread;

	MUST(!pthread_create(&thread, NULL, fill, (void *)1));
	fill((void *)0);
	pthread_join(thread, NULL);
	for (size_t i = 0; i < BLOCKS; i++) {
		check(i);
		if (i % 10)
			free(block[i]);
	}
}

static void grow(void)
{
	unsigned char *p = malloc(100), *grown;

	for (size_t len = 100; len < 12 * MIB; len *= 3) {
		grown = realloc(p, len * 3);
		MUST(grown || (grown = realloc(p, len * 3)));
		p = grown;
		memset(p, 5, len * 3);
	}
	free(p);
}

static void *map(size_t len)
{
	void *p = MAP_FAILED;

	for (int try = 0; try < 2 && p == MAP_FAILED; try++)
		p = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MUST(p != MAP_FAILED);
	return p;
}

static void unmap(void *p, size_t len)
{
	MUST(!munmap(p, len) || !munmap(p, len));
}

static void maps(void)
{
	size_t lens[] = {128 << 10, 1 * MIB, 5 * MIB};
	unsigned char *p[3], *moved;
	bool zeroed;

	for (int i = 0; i < 3; i++)
		memset(p[i] = map(lens[i]), i + 1, lens[i]);
	moved = mremap(p[2], 5 * MIB, 9 * MIB, MREMAP_MAYMOVE);
	if (moved == MAP_FAILED)
		moved = mremap(p[2], 5 * MIB, 9 * MIB, MREMAP_MAYMOVE);
	MUST(moved != MAP_FAILED && moved[0] == 3 && moved[5 * MIB - 1] == 3 &&
	     moved[5 * MIB] == 0 && p[0][0] == 1 && p[1][MIB - 1] == 2);
	/* advice may be refused for good, but not half taken */
	zeroed = !madvise(moved, MIB, MADV_DONTNEED) ||
		 !madvise(moved, MIB, MADV_DONTNEED);
	MUST(moved[0] == (zeroed ? 0 : 3) && moved[MIB] == 3);
	unmap(moved, 9 * MIB);
	unmap(p[1], lens[1]);
	unmap(p[0], lens[0]);
}

static void child(void)
{
	for (size_t i = 0; i < BLOCKS; i += 10)
		check(i);
	churn();
	fflush(stdout);
	_exit(3);
}

int main(void)
{
	int status;
	pid_t pid;

	churn();
	grow();
	maps();
	churn();
	pid = fork();
	MUST(pid >= 0);
	if (pid == 0)
		child();
	churn();
	MUST(waitpid(pid, &status, 0) == pid);
	printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -status);
	for (size_t i = 0; i < BLOCKS; i += 10)
		check(i);
	printf("all %d blocks well\n", BLOCKS);
	return 0;
}
