/* SPDX-License-Identifier: MIT */
/*
 * case_fork_storm.c - fork so many times (2000) while eight threads hold and
 * drop every lock of the heap and the mapping calls; each child takes them again
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

static volatile int done;

static void map_and_unmap(size_t len)
{
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	p[0] = 1;
	MUST(!munmap(p, len));
}

static void *churn(void *arg)
{
	unsigned int seed = (unsigned int)(uintptr_t)arg;

	while (!done) {
		size_t len = (size_t)16 << (rand_r(&seed) % 19);
		char *p = case_keep(malloc(len));

		MUST(p);
		p[0] = p[len - 1] = 1;
		if (rand_r(&seed) % 4 == 0)
			map_and_unmap(2 * MIB);
		if (rand_r(&seed) % 4 == 0)
			map_and_unmap(128 * 1024);
		free(p);
	}
	return NULL;
}

static void child(void)
{
	free(case_keep(malloc(100)));
	free(case_keep(malloc(4 * MIB)));
	map_and_unmap(2 * MIB);
	map_and_unmap(128 * 1024);
	_exit(0);
}

int main(int argc, char **argv)
{
	int children = argc > 1 ? atoi(argv[1]) : 2000;
	pthread_t t[8];
	int status;

	for (uintptr_t i = 0; i < 8; i++)
		MUST(!pthread_create(&t[i], NULL, churn, (void *)i));
	for (int i = 0; i < children; i++) {
		pid_t pid = fork();

		MUST(pid >= 0);
		if (!pid)
			child();
		MUST(waitpid(pid, &status, 0) == pid);
		if (status)
			printf("child %d status %x\n", i, (unsigned int)status);
		MUST(!status);
	}
	done = 1;
	for (int i = 0; i < 8; i++)
		MUST(!pthread_join(t[i], NULL));
	printf("%d children ended well\n", children);
	return 0;
}
