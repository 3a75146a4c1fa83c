/* SPDX-License-Identifier: MIT */
/*
 * soak_load.c - for tests/soak.sh: rounds of mixed work, each from nothing to
 * nothing; after each a line to stdout, and a line from stdin to go on
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define BLOCKS 40000
#define THREADS 4
#define MAPS 64

static unsigned long next(unsigned long *seed)
{
	*seed = *seed * 6364136223846793005UL + 1442695040888963407UL;
	return *seed >> 33;
}

/* sizes as programs have them: many small, few large */
static size_t size(unsigned long *seed)
{
	unsigned long n = next(seed);

	/* never 0: realloc frees then, and returns NULL */
	return 1 + n % (n % 1000 == 0 ? MIB : n % 50 == 0 ? 30000 : 500);
}

static void free_all(unsigned char **block)
{
	for (size_t i = 0; i < BLOCKS; i++) {
		MUST(!block[i] || *block[i] == (unsigned char)i);
		free(block[i]);
	}
	free(block);
}

static void *churn(void *arg)
{
	unsigned long seed = (unsigned long)arg;
	unsigned char **block = calloc(BLOCKS, sizeof(*block));

	MUST(block);
	for (size_t n = 0; n < 3 * BLOCKS; n++) {
		size_t i = next(&seed) % BLOCKS, len = size(&seed);

		MUST(block[i] = realloc(block[i], len));
		block[i][len - 1] = 1;
		*block[i] = (unsigned char)i;
	}
	free_all(block);
	return NULL;
}

static void threads(unsigned long seed)
{
	pthread_t thread[THREADS];

	for (unsigned long i = 0; i < THREADS; i++)
		MUST(!pthread_create(&thread[i], NULL, churn,
				     (void *)(seed * THREADS + i)));
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
}

static void maps(unsigned long seed)
{
	char *p[MAPS];
	size_t len[MAPS];

	for (int i = 0; i < MAPS; i++) {
		len[i] = (next(&seed) % 800 + 1) * 4096;
		p[i] = mmap(NULL, len[i], PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		MUST(p[i] != MAP_FAILED);
		memset(p[i], i, len[i]);
		if (i % 4 == 0)
			MUST(!madvise(p[i], len[i], MADV_DONTNEED));
	}
	for (int i = 0; i < MAPS; i++) {
		MUST(p[i][len[i] - 1] == (i % 4 ? i : 0));
		MUST(!munmap(p[i], len[i]));
	}
}

static void grow(void)
{
	char *p = NULL;

	for (size_t len = 4096; len <= 64 * MIB; len *= 2) {
		MUST(p = realloc(p, len));
		memset(p + len / 2, 7, len / 2);
		MUST(p[len / 2] == 7);
	}
	free(p);
}

static void children(unsigned long seed)
{
	char *p = malloc(8 * MIB);
	int status;

	memset(p, 1, 8 * MIB);
	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		MUST(pid >= 0);
		if (pid == 0) {
			churn((void *)seed);
			MUST(p[5 * MIB] == 1);
			_exit(0);
		}
		p[i * MIB] = 1;
		MUST(waitpid(pid, &status, 0) == pid && status == 0);
	}
	free(p);
}

int main(void)
{
	char line[16];

	for (unsigned long seed = 1;; seed++) {
		threads(seed);
		maps(seed);
		grow();
		children(seed);
		puts("rest");
		fflush(stdout);
		if (!fgets(line, sizeof(line), stdin))
			return 0;
	}
}
