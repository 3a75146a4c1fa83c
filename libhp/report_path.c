/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "libhp/common.h"
#include "libhp/report.h"
#include "libhp/text.h"

/* bytes of @pattern dealt with, or -errno */
static int expand(const char *pattern, int pid, const char *exe, char *out,
		  size_t size)
{
	const char plain[] = {pattern[0], '\0'};
	int ret, used = 2;

	if (!strncmp(pattern, "%p", 2)) {
		ret = hp_text_append_u64(out, size, (uint64_t)pid);
	} else if (!strncmp(pattern, "%e", 2)) {
		/* argv[0] may be a path, and a slash names a directory */
		ret = hp_text_append(out, size, hp_text_base(exe));
	} else if (!strncmp(pattern, "%%", 2)) {
		ret = hp_text_append(out, size, "%");
	} else {
		ret = hp_text_append(out, size, plain);
		used = 1;
	}
	return ret ? ret : used;
}

int hp_report_path(const char *pattern, int pid, const char *exe, char *out,
		   size_t size)
{
	if (size == 0)
		return -ENAMETOOLONG;
	out[0] = '\0';
	while (*pattern) {
		int used = expand(pattern, pid, exe, out, size);

		if (used < 0)
			return used;
		pattern += used;
	}
	return 0;
}
