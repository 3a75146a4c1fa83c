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

static size_t (*usable_size)(void *p);

void hp_foreign_init(size_t (*libc_usable_size)(void *p))
{
	usable_size = libc_usable_size;
}

size_t hp_foreign_usable_size(void *p)
{
	/* where libc was left as it is, and there is no other allocator */
	if (!usable_size)
		usable_size = (size_t(*)(void *))dlsym(RTLD_NEXT,
						       "malloc_usable_size");
	hp_stats_count(HP_EVENT_FOREIGN);
	return usable_size ? usable_size(p) : 0;
}
