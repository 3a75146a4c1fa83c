/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/common.h"
#include "preload/library.h"

#ifndef HP_LIBDIR
#define HP_LIBDIR "/usr/local/lib"
#endif
#define FILE_NAME "libhp-preload.so"

/* relative to the directory of the binary, or absolute */
static const char *const places[] = {
	".libs/" FILE_NAME,    /* build tree */
	FILE_NAME,	       /* libtool's own .libs/hprun */
	"../.libs/" FILE_NAME, /* binary in a subdirectory of the build tree */
	HP_LIBDIR "/" FILE_NAME,
	"../lib/" FILE_NAME, /* installed and moved */
};

static char *own_directory(void)
{
	char *path = realpath("/proc/self/exe", NULL);
	char *slash = path ? strrchr(path, '/') : NULL;

	if (slash)
		slash[1] = '\0';
	return path;
}

static char *readable(const char *directory, const char *name)
{
	char *path, *real;

	if (asprintf(&path, "%s%s", directory, name) < 0)
		return NULL;
	real = access(path, R_OK) ? NULL : realpath(path, NULL);
	free(path);
	return real;
}

char *hp_library_find(const char *given)
{
	char *directory, *found = NULL;

	if (given)
		return readable("", given);
	directory = own_directory();
	for (size_t i = 0; i < HP_ARRAY_SIZE(places) && !found; i++) {
		if (places[i][0] == '/')
			found = readable("", places[i]);
		else if (directory)
			found = readable(directory, places[i]);
	}
	free(directory);
	return found;
}

int hp_library_nameable(const char *path)
{
	return !strpbrk(path, " :");
}

char *hp_library_preload(const char *library, const char *others)
{
	char *text;

	if (!others || !*others)
		return strdup(library);
	return asprintf(&text, "%s:%s", library, others) < 0 ? NULL : text;
}
