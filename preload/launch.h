/* SPDX-License-Identifier: MIT */
/*
 * launch.h - run one program and wait for its end
 *
 * The program gets hprun's descriptors, signal mask and dispositions, and its
 * place in the process group. Signals sent to hprun are passed on to it, but
 * for those it got itself from the terminal.
 */
#ifndef HP_LAUNCH_H
#define HP_LAUNCH_H

#include <sys/resource.h>

#include "preload/result.h"
#include "preload/settings.h"

struct hp_launch {
	char *const *argv;
	const struct hp_settings *settings;
	const char *preload;		/* LD_PRELOAD; NULL: as inherited */
	const struct hp_result *result; /* NULL: not wanted */
	const int *streams;		/* its 0, 1 and 2; NULL: as inherited */
	/* called every now and then while it runs; NULL: not wanted */
	void (*watch)(pid_t child, void *arg);
	void *arg;
};

struct hp_ending {
	int exec_errno; /* not 0: the program could not be executed */
	int status;	/* as of wait(2) */
	int stop;	/* signal hprun got that asks to end; 0: none */
	struct rusage usage;
};

/**
 * hp_launch_hold - hold back every signal that hprun passes on
 *
 * From here to the end of the process hprun itself is ended by none of them,
 * so that whatever it created is removed. Call it once.
 */
void hp_launch_hold(void);

/* hp_launch_stop - a held signal that asks to end, taken; 0: none */
int hp_launch_stop(void);

/* hp_launch_release - in a child: signals as hprun itself was given them */
void hp_launch_release(void);

/* hp_launch_run - 0; -errno the process could not be made */
int hp_launch_run(const struct hp_launch *launch, struct hp_ending *ending);

#endif
