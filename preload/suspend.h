/* SPDX-License-Identifier: MIT */
/*
 * suspend.h - stopping hprun while the program is stopped
 */
#ifndef HP_SUSPEND_H
#define HP_SUSPEND_H

#include <sys/types.h>

/**
 * hp_suspend - stop the calling process as @sig stopped @child
 *
 * Returns when something continues the caller. Whoever continues or ends the
 * child alone (kill -CONT, cpulimit, a debugger) continues the caller as well,
 * which would otherwise never learn of its end: a helper process looks from
 * time to time, for as long as the stop lasts.
 *
 * The caller has all signals blocked.
 */
void hp_suspend(int sig, pid_t child);

#endif
