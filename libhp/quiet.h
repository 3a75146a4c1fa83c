/* SPDX-License-Identifier: MIT */
/*
 * quiet.h - writing what the program does not know of
 *
 * A reader that has gone, RLIMIT_FSIZE or a terminal that wants no output from
 * the background make write(2) raise a signal that ends or stops the program,
 * which wrote nothing. Between these two calls the thread gets neither SIGPIPE,
 * SIGXFSZ nor SIGTTOU from what it writes, only the error; one that was pending
 * before stays pending.
 */
#ifndef HP_QUIET_H
#define HP_QUIET_H

#include <stdbool.h>
#include <stdint.h>

struct hp_quiet {
	bool blocked;
	uint64_t mask; /* the thread's own */
	uint64_t ours; /* signals that nobody else has raised */
};

void hp_quiet_begin(struct hp_quiet *quiet);
void hp_quiet_end(const struct hp_quiet *quiet);

/* hp_quiet_say - one line to standard error */
void hp_quiet_say(const char *line);

#endif
