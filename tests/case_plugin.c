/* SPDX-License-Identifier: MIT */
/* case_plugin.c - opened with RTLD_DEEPBIND its malloc is libc's own */
#include <stdlib.h>
#include <string.h>

void *plugin_alloc(size_t n);
void *plugin_resize(void *p, size_t n);

void *plugin_alloc(size_t n)
{
	void *p = malloc(n);

	return p ? memset(p, 0x5a, n) : NULL;
}

void *plugin_resize(void *p, size_t n)
{
	return realloc(p, n);
}
