/* SPDX-License-Identifier: MIT */
#include "preload/compare_progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void hp_progress_init(struct hp_progress *progress, unsigned int total)
{
	*progress = (struct hp_progress){.shown = isatty(STDERR_FILENO),
					 .total = total,
					 .began = seconds_now()};
}

static void put_remaining(const struct hp_progress *progress)
{
	double so_far = seconds_now() - progress->began;
	double left =
		so_far / progress->done * (progress->total - progress->done);

	fprintf(stderr, ", about %.0f s left", left);
}

void hp_progress_step(struct hp_progress *progress, unsigned int round,
		      const char *arm)
{
	if (progress->shown) {
		fprintf(stderr, "\r\033[Khprun: run %u of %u",
			progress->done + 1, progress->total);
		if (round)
			fprintf(stderr, ", round %u", round);
		fprintf(stderr, ": %s", arm);
		if (progress->done)
			put_remaining(progress);
		fflush(stderr);
	}
	progress->done++;
}

void hp_progress_clear(const struct hp_progress *progress)
{
	if (progress->shown)
		fputs("\r\033[K", stderr);
}
