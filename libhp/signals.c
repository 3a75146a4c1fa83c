/* SPDX-License-Identifier: MIT */
#include "libhp/signals.h"

#include <signal.h>

#include "libhp/linux.h"

void hp_signals_block(struct hp_signals *before)
{
	static const uint64_t all = UINT64_MAX;

	before->blocked = hp_linux_sigmask(SIG_BLOCK, &all, &before->mask) == 0;
}

void hp_signals_restore(const struct hp_signals *before)
{
	if (before->blocked)
		hp_linux_sigmask(SIG_SETMASK, &before->mask, NULL);
}
