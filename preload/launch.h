/* SPDX-License-Identifier: MIT */
/*
 * launch.h - run one program and wait for its end
 *
 * The program gets hprun's descriptors, signal mask and dispositions, and its
 * place in the process group.
 */
#ifndef HP_LAUNCH_H
#define HP_LAUNCH_H

#include "preload/relay.h"
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

/* hp_launch_exec - the program in place of hprun; -errno it could not be */
int hp_launch_exec(const struct hp_launch *launch);

/**
 * hp_launch_run - the program beside hprun, to its end
 *
 * Call it after hp_relay_hold(). If hprun is killed the program is as well.
 *
 * Return: 0; -errno the process could not be made.
 */
int hp_launch_run(const struct hp_launch *launch, struct hp_ending *ending);

#endif
