/* SPDX-License-Identifier: MIT */
/*
 * case_exit_race.c - eight threads end the process at the same time, with
 * status 7: by exit() or, with an argument, by _exit()
 */
#include <pthread.h>
#include <unistd.h>
#include "tests/case.h"

#define THREADS 8

static pthread_barrier_t together;

static void *ends(void *how)
{
	pthread_barrier_wait(&together);
	if (how)
		_exit(7);
	exit(7);
}

int main(int argc, char **argv)
{
	char *block = case_keep(malloc(32 * MIB));
	pthread_t thread;

	(void)argv;
	MUST(block);
	memset(block, 1, 32 * MIB);
	pthread_barrier_init(&together, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		MUST(pthread_create(&thread, NULL, ends,
				    argc > 1 ? block : NULL) == 0);
	for (;;)
		pause();
}
