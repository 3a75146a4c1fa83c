/* SPDX-License-Identifier: MIT */
/*
 * clock.h - time and chance for the benchmark's small programs
 */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* xorshift64, Marsaglia 2003: same sequence in every run and arm */
static inline uint64_t next_random(void)
{
	static uint64_t state = 0x2545f4914f6cdd1d;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* gcc must neither drop the value nor what memory it came from */
#define KEEP(value) __asm__ volatile("" ::"r"(value) : "memory")

static inline int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* sorts @values */
static inline double median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare_doubles);
	return values[n / 2];
}

#endif
