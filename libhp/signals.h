/* SPDX-License-Identifier: MIT */
/*
 * signals.h - no handler runs for a moment
 *
 * For what a handler may neither see half done nor leave half done by
 * siglongjmp. Two raw system calls: nothing is known of it to libc, whose own
 * signals (cancellation, setuid of all threads) wait too. Not to be called
 * behind a sandbox.
 */
#ifndef HP_SIGNALS_H
#define HP_SIGNALS_H

#include "libhp/common.h"

struct hp_signals {
	uint64_t mask; /* before */
	bool blocked;
};

void hp_signals_block(struct hp_signals *before);

/* hp_signals_restore - nothing to do for a zeroed @before */
void hp_signals_restore(const struct hp_signals *before);

#endif
