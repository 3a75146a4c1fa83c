/* SPDX-License-Identifier: MIT */
#include "preload/foreign.h"

#include <errno.h>

#include "libhp/stats.h"
#include "preload/object.h"

/* libc's own, by whatever names others go */
static struct {
	bool known;
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t n, size_t size);
	void *(*realloc)(void *p, size_t size);
	void *(*memalign)(size_t align, size_t size);
	int (*posix_memalign)(void **out, size_t align, size_t size);
	void (*free)(void *p);
	size_t (*usable_size)(void *p);
} libc;

#define FIND(object, field, name)                                              \
	(libc.field = (__typeof__(libc.field))hp_object_function(object, name))

void hp_foreign_init(void)
{
	struct hp_object o;

	if (libc.known || !hp_object_libc(&o))
		return;
	FIND(&o, malloc, "malloc");
	FIND(&o, calloc, "calloc");
	FIND(&o, realloc, "realloc");
	FIND(&o, memalign, "memalign");
	FIND(&o, posix_memalign, "posix_memalign");
	FIND(&o, free, "free");
	FIND(&o, usable_size, "malloc_usable_size");
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

/* in a heap that is libc's all is foreign, and worth no count */

void *hp_foreign_malloc(size_t size)
{
	hp_foreign_init();
	return libc.malloc ? libc.malloc(size) : NULL;
}

void *hp_foreign_calloc(size_t n, size_t size)
{
	hp_foreign_init();
	return libc.calloc ? libc.calloc(n, size) : NULL;
}

void *hp_foreign_memalign(size_t align, size_t size)
{
	hp_foreign_init();
	return libc.memalign ? libc.memalign(align, size) : NULL;
}

int hp_foreign_posix_memalign(void **out, size_t align, size_t size)
{
	hp_foreign_init();
	return libc.posix_memalign ? libc.posix_memalign(out, align, size)
				   : ENOMEM;
}
