/* SPDX-License-Identifier: MIT */
#include "preload/inherit.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "LD_PRELOAD="
#define SEPARATORS " :" /* the loader takes both */

/* by the last part: the loader has searched, and filled in what stands for it */
static bool is_own(const char *name, size_t len)
{
	const char *slash = memrchr(name, '/', len);
	const char *own;
	Dl_info us;

	if (!dladdr((void *)hp_inherit_not, &us) || !us.dli_fname)
		return false;
	own = strrchr(us.dli_fname, '/');
	own = own ? own + 1 : us.dli_fname;
	if (slash) {
		len -= (size_t)(slash + 1 - name);
		name = slash + 1;
	}
	return strlen(own) == len && !memcmp(own, name, len);
}

/* the names in @list without ours, to @out; how many there are */
static size_t filter(const char *list, char *out)
{
	size_t kept = 0, len;

	for (; *(list += strspn(list, SEPARATORS)); list += len) {
		len = strcspn(list, SEPARATORS);
		if (is_own(list, len))
			continue;
		if (kept++)
			*out++ = ':';
		out = mempcpy(out, list, len);
	}
	*out = '\0';
	return kept;
}

/* what stands in @entry's place: NULL for nothing */
static char *without_us(char *entry)
{
	size_t name = strlen(VARIABLE);
	char *copy;

	if (strncmp(entry, VARIABLE, name))
		return entry;
	copy = malloc(strlen(entry) + 1);
	if (!copy)
		return entry;
	memcpy(copy, entry, name);
	if (filter(entry + name, copy + name))
		return copy;
	free(copy);
	return NULL;
}

static void edit(char **env)
{
	char **to = env;

	for (; *env; env++) {
		*to = without_us(*env);
		to += *to != NULL;
	}
	*to = NULL;
}

void hp_inherit_not(char **env)
{
	edit(env);
	if (environ && environ != env)
		edit(environ);
}
