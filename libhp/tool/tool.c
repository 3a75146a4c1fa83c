/* SPDX-License-Identifier: MIT */
#include "libhp/tool/tool.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/text.h"
#include "preload/quote.h"

#define SHOWN 120

/* the lowest free descriptor is the one opened, so 0 to 2 fill up in turn */
void hp_tool_start(char *name)
{
	int fd;

	program_invocation_short_name = name;
	do
		fd = open("/", O_RDONLY | O_DIRECTORY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

void hp_tool_finish(int status)
{
	if (fflush(stdout) || ferror(stdout))
		err(HP_TOOL_ERROR, "standard output");
	exit(status);
}

void hp_tool_bad_option(const char *word, int got)
{
	char shown[SHOWN];

	errx(HP_TOOL_ERROR,
	     got == ':' ? "option '%s' needs a value; see %s --help"
			: "bad or ambiguous option '%s'; see %s --help",
	     hp_quote_line(word, shown, sizeof(shown)),
	     program_invocation_short_name);
}

void hp_tool_bad_value(const char *option, const char *value,
		       const char *accepts)
{
	char shown[SHOWN];

	errx(HP_TOOL_ERROR, "--%s: bad value '%s': give %s", option,
	     hp_quote_line(value, shown, sizeof(shown)), accepts);
}

pid_t hp_tool_pid(const char *text)
{
	char shown[SHOWN];
	const char *end;
	uint64_t pid;

	if (hp_text_u64(text, &end, &pid) || *end || pid == 0 || pid > INT_MAX)
		errx(HP_TOOL_ERROR,
		     "'%s' is no process ID: give a positive number",
		     hp_quote_line(text, shown, sizeof(shown)));
	return (pid_t)pid;
}

uint64_t hp_tool_number(const char *option, const char *text, uint64_t least,
			uint64_t most)
{
	char accepts[64];
	const char *end;
	uint64_t n;

	if (!hp_text_u64(text, &end, &n) && !*end && n >= least && n <= most)
		return n;
	snprintf(accepts, sizeof(accepts), "a number from %ju to %ju",
		 (uintmax_t)least, (uintmax_t)most);
	hp_tool_bad_value(option, text, accepts);
}

char *hp_tool_bytes(uint64_t bytes, char *buf)
{
	double mib = (double)bytes / (double)HP_MIB;

	if (bytes >= HP_GIB)
		snprintf(buf, HP_TOOL_BYTES, "%.1f GiB", mib / 1024);
	else if (bytes >= HP_MIB || bytes == 0)
		snprintf(buf, HP_TOOL_BYTES, "%.1f MiB", mib);
	else
		snprintf(buf, HP_TOOL_BYTES, "%.0f KiB", mib * 1024);
	return buf;
}
