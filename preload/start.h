/* SPDX-License-Identifier: MIT */
/*
 * start.h - the preload's life: from the first malloc to the exit report
 */
#ifndef HP_START_H
#define HP_START_H

#include "libhp/init.h"

/* hp_start_context - the options; brings everything up at the first call */
const struct hp_context *hp_start_context(void);

/* hp_start_sandbox - the program is about to forbid system calls */
void hp_start_sandbox(void);

#endif
