/* SPDX-License-Identifier: MIT */
#include "preload/foreign.h"

#include <errno.h>

#include "libhp/stats.h"
#include "preload/object.h"

/* libc's own, by whatever names others go */
static struct {
	bool known;
	void (*free)(void *p);
	void *(*realloc)(void *p, size_t size);
	size_t (*usable_size)(void *p);
} libc;

void hp_foreign_init(void)
{
	struct hp_object o;

	if (libc.known || !hp_object_libc(&o))
		return;
	libc.free = (void (*)(void *))hp_object_function(&o, "free");
	libc.realloc =
		(void *(*)(void *, size_t))hp_object_function(&o, "realloc");
	libc.usable_size =
		(size_t(*)(void *))hp_object_function(&o, "malloc_usable_size");
	libc.known = true;
}

/* another library's constructor may come before ours */
static void foreign_block(void)
{
	if (HP_UNLIKELY(!libc.known))
		hp_foreign_init();
	hp_stats_count(HP_EVENT_FOREIGN);
}

void hp_foreign_free(void *p)
{
	foreign_block();
	if (libc.free)
		libc.free(p);
}

void *hp_foreign_realloc(void *p, size_t size)
{
	foreign_block();
	if (libc.realloc)
		return libc.realloc(p, size);
	errno = ENOMEM;
	return NULL;
}

size_t hp_foreign_usable_size(void *p)
{
	foreign_block();
	return libc.usable_size ? libc.usable_size(p) : 0;
}
