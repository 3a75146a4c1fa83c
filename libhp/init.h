/* SPDX-License-Identifier: MIT */
/*
 * init.h - what a process was told and what its machine has; found once
 *
 * The only reader of the environment. In the preload the first caller is
 * jemalloc's own bring-up, before libc has set `environ`, so the caller hands
 * the environment in.
 */
#ifndef HP_INIT_H
#define HP_INIT_H

#include "libhp/options.h"
#include "libhp/pagesize.h"

struct hp_context {
	struct hp_options options;
	struct hp_pagesizes pagesizes;
	char exe[64]; /* base name, cut */
	int pid;      /* of the image's first process */
	bool passive; /* LIBHP_ONLY names other programs: change nothing */
	bool ready;
};

/**
 * hp_init - read options and machine, unless that was done before
 * @envp: NULL-terminated "NAME=value"; NULL ignores the environment
 * @exe:  path or name of the program
 *
 * A bad value costs one line on stderr and leaves the default in force. Not
 * thread-safe: the first call comes before there are threads.
 */
const struct hp_context *hp_init(char *const *envp, const char *exe);

/* hp_context - the same, with the environment libc knows */
const struct hp_context *hp_context(void);

#endif
