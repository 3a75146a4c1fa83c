/* SPDX-License-Identifier: MIT */
#include "preload/foreign.h"

#include <dlfcn.h>

#include "libhp/stats.h"

/* glibc exports its own functions under these names as well */
void __libc_free(void *p);
void *__libc_realloc(void *p, size_t size);

void hp_foreign_free(void *p)
{
	hp_stats_count(HP_EVENT_FOREIGN);
	__libc_free(p);
}

void *hp_foreign_realloc(void *p, size_t size)
{
	hp_stats_count(HP_EVENT_FOREIGN);
	return __libc_realloc(p, size);
}

/* not exported under a second name, so it must be looked up */
static size_t (*usable_size)(void *p);

void hp_foreign_init(void)
{
	if (!usable_size)
		usable_size = (size_t(*)(void *))dlsym(RTLD_NEXT,
						       "malloc_usable_size");
}

size_t hp_foreign_usable_size(void *p)
{
	hp_foreign_init();
	hp_stats_count(HP_EVENT_FOREIGN);
	return usable_size ? usable_size(p) : 0;
}
