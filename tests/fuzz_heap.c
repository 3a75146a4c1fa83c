/* SPDX-License-Identifier: MIT */
/*
 * fuzz_heap.c - random calls of the malloc family, in threads
 *
 *	fuzz_heap [-t THREADS] [-f] SEED [STEPS]
 *
 * Blocks change threads. -f forks now and then; the child goes on for a while.
 * Ends with status 1 and one line when something does not hold.
 */
#define _GNU_SOURCE
#include <sys/wait.h>

#include "tests/fuzz_block.h"

static bool forks;

static void run_child(struct thread *t)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		for (int i = 0; i < 500; i++, t->step++)
			if (draw_below(&t->draw, 20))
				step(t);
		_exit(0);
	}
	if (waitpid(child, &status, 0) < 0 || status)
		broken(t, "child of a fork", &t->blocks[0]);
}

static void *run(void *arg)
{
	struct thread *t = arg;

	for (; t->step < t->steps; t->step++) {
		step(t);
		if (t->step % 50000 == 49999)
			for (int i = 0; i < BLOCKS; i++)
				if (t->blocks[i].p && i % 10)
					give(t, &t->blocks[i]);
		if (forks && t->step % 20000 == 19999)
			run_child(t);
	}
	give_each(t, t->blocks, BLOCKS);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct thread threads[16];
	unsigned int n = 1;
	pthread_t ids[16];
	int c;

	while ((c = getopt(argc, argv, "t:f")) >= 0)
		if (c == 't')
			n = (unsigned int)atoi(optarg);
		else
			forks = true;
	if (optind == argc || n < 1 || n > 16)
		return 2;
	for (unsigned int i = 0; i < n; i++) {
		threads[i].seed = strtoull(argv[optind], NULL, 10);
		threads[i].draw = draw_seed(threads[i].seed * 16 + i);
		threads[i].steps =
			argc > optind + 1 ? atoll(argv[optind + 1]) : 100000;
		threads[i].number = i << 28;
		pthread_create(&ids[i], NULL, run, &threads[i]);
	}
	for (unsigned int i = 0; i < n; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
