/* SPDX-License-Identifier: MIT */
/*
 * case_plugin_crossing.c - a plugin opened with RTLD_DEEPBIND frees and resizes
 * what libc or the program allocated, from its constructor on
 */
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

void plugin_free(void *p);
void *plugin_double(void *p);
const char *plugin_name(void);
const char *case_name(void);

/* the program has one of this name too: RTLD_DEEPBIND means this one */
const char *case_name(void)
{
	return "plugin";
}

const char *plugin_name(void)
{
	return case_name();
}

void plugin_free(void *p)
{
	free(p);
}

void *plugin_double(void *p)
{
	return realloc(p, 2 * malloc_usable_size(p));
}

__attribute__((constructor)) static void start(void)
{
	char *copy = strdup("a block of libc's strdup, of its malloc");

	free(realloc(copy, 100000));
}
