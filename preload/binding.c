/* SPDX-License-Identifier: MIT */
#include "preload/binding.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

#include "libhp/heap.h"
#include "preload/foreign.h"
#include "preload/libc_names.h"
#include "preload/object.h"
#include "preload/operators.h"

#define FOUND(name)                                                            \
	{                                                                      \
#name, (uintptr_t)name                                         \
	}

/* what the program at large finds under these names */
static const struct {
	const char *name;
	uintptr_t address;
} family[] = {
	FOUND(malloc),		FOUND(calloc),
	FOUND(realloc),		FOUND(free),
	FOUND(aligned_alloc),	FOUND(memalign),
	FOUND(valloc),		FOUND(pvalloc),
	FOUND(posix_memalign),	FOUND(cfree),
	FOUND(malloc_trim),	FOUND(malloc_usable_size),
	FOUND(__libc_malloc),	FOUND(__libc_calloc),
	FOUND(__libc_realloc),	FOUND(__libc_free),
	FOUND(__libc_memalign), FOUND(__libc_valloc),
	FOUND(__libc_pvalloc),
};

static ElfW(Sym) * found[HP_ARRAY_SIZE(family)];

/* the range with all the entries; false when there are none */
static bool find_all(const struct hp_object *libc, uintptr_t *start,
		     uintptr_t *end)
{
	*start = UINTPTR_MAX;
	*end = 0;
	for (size_t i = 0; i < HP_ARRAY_SIZE(family); i++) {
		found[i] = hp_object_find(libc, family[i].name);
		if (!found[i])
			continue;
		*start = hp_min(*start, (uintptr_t)found[i]);
		*end = hp_max(*end, (uintptr_t)(found[i] + 1));
	}
	return *start < *end;
}

/* the loader adds the base to a value, and the sum may wrap around */
static void bind_all(const struct hp_object *libc)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(family); i++)
		if (found[i])
			HP_WRITE_ONCE(found[i]->st_value,
				      family[i].address - libc->base);
}

static void bind_libc(const struct hp_object *libc)
{
	uintptr_t start, end;

	if (!find_all(libc, &start, &end) || hp_object_open(libc, start, end))
		return;
	bind_all(libc);
	hp_object_close(libc, start, end);
}

/*
 * A program, or a library before this one, may have its own malloc. Addresses do
 * not tell: in a program at a fixed place a function has that of the program's
 * own entry for it.
 */
static bool is_ours(void)
{
	void *(*take)(size_t) =
		(void *(*)(size_t))dlsym(RTLD_DEFAULT, "malloc");
	void (*give)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "free");
	void *block = take && give ? take(1) : NULL;
	bool ours = block && hp_heap_owns(block);

	if (block)
		give(block);
	return ours;
}

void hp_binding_init(void)
{
	struct hp_object libc;

	hp_foreign_init();
	if (!is_ours())
		return;
	if (hp_object_libc(&libc))
		bind_libc(&libc);
	hp_operators_init();
}
