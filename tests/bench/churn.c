/* SPDX-License-Identifier: MIT */
/*
 * churn [SECONDS] - 24 threads replace blocks at random, as servers do (after
 * Larson and Krishnan, "Memory allocation for long-running server
 * applications", ISMM 1998), while what is alive changes in phases
 *
 * Four times a second it prints "SECONDS BYTES": the time and the bytes that
 * are alive, so that another process can put them beside what it holds.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

#define THREADS 24
#define SLOTS 12000
#define BATCH 256
#define TICK_US 250000

/* a sixth of the time each: blocks alive of a hundred, their mean size */
static const struct phase {
	unsigned int alive, mean;
} phases[] = {{100, 1000}, {10, 1000},	 {100, 1000},
	      {10, 1000},  {100, 16000}, {5, 300}};

#define PHASES (sizeof(phases) / sizeof(phases[0]))

static volatile unsigned int phase;
static volatile bool over;
static uint64_t live; /* bytes */

struct worker {
	char *block[SLOTS];
	uint32_t size[SLOTS];
	uint64_t random;
};

static uint64_t draw(struct worker *w)
{
	w->random = w->random * 6364136223846793005 + 1442695040888963407;
	return w->random >> 33;
}

static void drop(struct worker *w, size_t i)
{
	free(w->block[i]);
	__atomic_fetch_sub(&live, w->size[i], __ATOMIC_RELAXED);
	w->block[i] = NULL;
	w->size[i] = 0;
}

static void take(struct worker *w, size_t i, uint32_t size)
{
	w->block[i] = malloc(size);
	if (!w->block[i])
		exit(1);
	memset(w->block[i], 1, size);
	w->size[i] = size;
	__atomic_fetch_add(&live, size, __ATOMIC_RELAXED);
}

/* a slot is taken or left empty as often as the phase wants it */
static void replace(struct worker *w, const struct phase *now)
{
	size_t i = draw(w) % SLOTS;

	drop(w, i);
	if (draw(w) % 100 < now->alive)
		take(w, i, (uint32_t)(16 + draw(w) % (2 * now->mean)));
}

static void *work(void *arg)
{
	struct worker *w = calloc(1, sizeof(*w));

	if (!w)
		exit(1);
	w->random = (uint64_t)(uintptr_t)arg + 1;
	while (!over)
		for (int i = 0; i < BATCH; i++)
			replace(w, &phases[phase]);
	for (size_t i = 0; i < SLOTS; i++)
		drop(w, i);
	free(w);
	return NULL;
}

static void run_phases(double seconds)
{
	double start = now_ns(), spent = 0;

	while (spent < seconds) {
		phase = (unsigned int)(spent / seconds * PHASES);
		printf("%.2f %llu\n", spent,
		       (unsigned long long)__atomic_load_n(&live,
							   __ATOMIC_RELAXED));
		fflush(stdout);
		usleep(TICK_US);
		spent = (now_ns() - start) / 1e9;
	}
	over = true;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 60;
	pthread_t thread[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i))
			return 1;
	run_phases(seconds);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
