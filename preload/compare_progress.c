/* SPDX-License-Identifier: MIT */
#include "preload/compare_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "probe/clock.h"

void hp_progress_init(struct hp_progress *progress, unsigned int total)
{
	*progress = (struct hp_progress){.shown = isatty(STDERR_FILENO),
					 .total = total,
					 .began_ns = hp_clock_ns()};
}

static void put_remaining(const struct hp_progress *progress)
{
	double so_far = (double)(hp_clock_ns() - progress->began_ns) * 1e-9;
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
