/* SPDX-License-Identifier: MIT */
#include "libhp/quiet.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "libhp/linux.h"

static uint64_t bit(int signal)
{
	return (uint64_t)1 << (signal - 1);
}

/* A write that finds SIGTTOU blocked does not raise it: it is never ours. */
void hp_quiet_begin(struct hp_quiet *quiet)
{
	uint64_t raised = bit(SIGPIPE) | bit(SIGXFSZ);
	uint64_t all = raised | bit(SIGTTOU);

	quiet->blocked = hp_linux_sigmask(SIG_BLOCK, &all, &quiet->mask) == 0;
	quiet->ours = raised & ~hp_linux_sigpending();
}

void hp_quiet_end(const struct hp_quiet *quiet)
{
	if (!quiet->blocked)
		return;
	while (hp_linux_sigtake(quiet->ours) > 0)
		continue;
	hp_linux_sigmask(SIG_SETMASK, &quiet->mask, NULL);
}

void hp_quiet_say(const char *line)
{
	struct hp_quiet quiet;

	hp_quiet_begin(&quiet);
	hp_linux_write(STDERR_FILENO, line, strlen(line));
	hp_quiet_end(&quiet);
}
