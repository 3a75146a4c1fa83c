/* SPDX-License-Identifier: MIT */
/*
 * probing.h - LIBHP_PROBE: when a running program is measured, and the result
 *
 *	exit		in the thread that returns from main or calls exit, and
 *			before, where much memory begins to be given back: few
 *			programs have much to show when they exit
 *	signal:NAME	in a thread of its own, each time the signal comes
 *	every:Ns	in the same thread; never more than 2 % of the time
 *
 * The thread exists only if it was asked for; it blocks all signals. Nothing
 * happens in children, behind a sandbox, or if nobody wants a report.
 */
#ifndef HP_PROBING_H
#define HP_PROBING_H

#include "libhp/init.h"

void hp_probing_init(const struct hp_context *context);

/**
 * hp_probing_peak - @bytes are in use, and about to become fewer
 *
 * Measures if "exit" was asked for and this is twice the height measured last;
 * a second in all at most. Outside the gate, and without a lock of libhp's.
 */
void hp_probing_peak(uint64_t bytes);

/* hp_probing_exit - what "exit" asks for; ends what is under way */
void hp_probing_exit(void);

/* hp_probing_keep - a sandbox is near: measure no more */
void hp_probing_keep(void);
void hp_probing_forked(void);

/* the last result, as JSON and as a line of text; NULL when there is none */
const char *hp_probing_json(void);
const char *hp_probing_line(void);

#endif
