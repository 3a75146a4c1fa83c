/* SPDX-License-Identifier: MIT */
/*
 * compare_progress.h - one line on a terminal: what runs, how long it may last
 */
#ifndef HP_COMPARE_PROGRESS_H
#define HP_COMPARE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct hp_progress {
	bool shown;		  /* standard error is a terminal */
	unsigned int done, total; /* runs */
	uint64_t began_ns;	  /* when the first of them did */
};

void hp_progress_init(struct hp_progress *progress, unsigned int total);

/* hp_progress_step - the next run begins; @round counts from 1, 0: none yet */
void hp_progress_step(struct hp_progress *progress, unsigned int round,
		      const char *arm);

/* hp_progress_clear - before anything else is printed */
void hp_progress_clear(const struct hp_progress *progress);

#endif
