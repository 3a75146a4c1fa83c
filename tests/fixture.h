/* SPDX-License-Identifier: MIT */
/*
 * fixture.h - a made-up /proc and /sys for hp_textfile_root()
 *
 * Built anew for every test that calls fixture_open(), gone when its process
 * ends (Check forks for each).
 */
#ifndef TESTS_FIXTURE_H
#define TESTS_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libhp/textfile.h"

static char fixture_root[64];

static inline void fixture_close(void)
{
	char command[96];

	hp_textfile_root("");
	snprintf(command, sizeof(command), "rm -rf '%s'", fixture_root);
	if (system(command))
		abort();
}

static inline void fixture_open(void)
{
	snprintf(fixture_root, sizeof(fixture_root),
		 "/tmp/libhp-fixture-XXXXXX");
	if (!mkdtemp(fixture_root))
		abort();
	hp_textfile_root(fixture_root);
}

/* fixture_write - @path below the root, directories made as needed */
static inline void fixture_write(const char *path, const char *text)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", fixture_root, path);
	for (char *p = full + strlen(fixture_root) + 1; (p = strchr(p, '/'));
	     *p++ = '/') {
		*p = '\0';
		mkdir(full, 0755);
	}
	file = fopen(full, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		abort();
}

#endif
