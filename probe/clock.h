/* SPDX-License-Identifier: MIT */
/*
 * clock.h - the wall clock, what reading it costs, and the core's own clock
 *
 * The core clock is found by timing a chain of dependent register-register
 * additions, one cycle each, at length n and 2n: the difference is free of the
 * cost of reading the wall clock. Immediate operands would not do: recent
 * cores add small immediates while renaming.
 */
#ifndef HP_CLOCK_H
#define HP_CLOCK_H

#include <stdint.h>
#include <time.h>

struct hp_clock {
	double read_ns;	 /* one hp_clock_ns(), least of many */
	double cycle_ns; /* one core cycle at the fastest tier seen so far */
};

/**
 * hp_clock_ns - the monotonic clock
 *
 * Return: nanoseconds since an arbitrary start.
 */
static inline uint64_t hp_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/**
 * hp_clock_calibrate - learn what the clock costs and how fast the core runs
 * @clock: receives both
 *
 * Keeps the core busy for about 50 ms first, so that it reaches its working
 * frequency. Run on the cpu that will measure.
 */
void hp_clock_calibrate(struct hp_clock *clock);

/**
 * hp_clock_cycle_ns - length of a core cycle now
 *
 * Takes about 20 microseconds: the least of three tries at each length. Only
 * three interruptions in a row can make it wrong, then in either direction.
 *
 * Return: nanoseconds; 0 or less when the two timings contradict each other.
 */
double hp_clock_cycle_ns(void);

/**
 * hp_clock_steady - did the core keep its speed between two readings?
 * @before: hp_clock_cycle_ns() before the work
 * @after:  and after it
 *
 * Return: 1 when both are positive and within 5 % of each other, else 0.
 */
int hp_clock_steady(double before, double after);

#endif
