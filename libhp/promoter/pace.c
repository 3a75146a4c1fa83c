/* SPDX-License-Identifier: MIT */
#include "libhp/promoter/pace.h"

#include <time.h>

#define SECOND 1000000000ULL

uint64_t hp_pace_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * SECOND + (uint64_t)ts.tv_nsec;
}

void hp_pace_start(struct hp_pace *pace, uint64_t rate)
{
	*pace = (struct hp_pace){.rate = rate, .start = hp_pace_now()};
}

/* in two parts, as done * SECOND does not fit beyond 18 GB */
uint64_t hp_pace_due(const struct hp_pace *pace)
{
	uint64_t whole, rest;

	if (pace->rate == 0)
		return pace->start;
	whole = pace->done / pace->rate;
	rest = pace->done % pace->rate;
	return pace->start + whole * SECOND +
	       (uint64_t)((double)rest / (double)pace->rate * 1e9);
}

bool hp_pace_wait(struct hp_pace *pace, uint64_t bytes)
{
	uint64_t due = hp_pace_due(pace);
	struct timespec ts = {(time_t)(due / SECOND), (long)(due % SECOND)};

	if (due > hp_pace_now() &&
	    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL))
		return false;
	pace->done += bytes;
	return true;
}
