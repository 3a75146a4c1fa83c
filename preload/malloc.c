/* SPDX-License-Identifier: MIT */
/*
 * malloc.c - the malloc family, as the glibc manual lists it
 *
 * Whatever hands out memory goes straight to jemalloc, which brings itself up
 * at the first call. Whatever takes a block back first asks whether it is ours
 * at all: a plugin opened with RTLD_DEEPBIND, or glibc itself, may hand over
 * one of libc's blocks.
 */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "libhp/arena.h"
#include "libhp/common.h"
#include "libhp/jemalloc.h"
#include "libhp/linux.h"
#include "preload/detour.h"
#include "preload/foreign.h"
#include "preload/libc_names.h"

/* jemalloc leaves errno alone where glibc sets it */
static void *or_enomem(void *p)
{
	if (HP_UNLIKELY(!p))
		errno = ENOMEM;
	return p;
}

HP_EXPORT void *malloc(size_t size)
{
	return HP_HEAP(size, je_malloc(size), hp_foreign_malloc(size));
}

HP_EXPORT void *calloc(size_t n, size_t size)
{
	return HP_HEAP(n * size, je_calloc(n, size),
		       hp_foreign_calloc(n, size));
}

/*
 * glibc takes any alignment and rounds it up to a power of two, and aligns
 * blocks of no bytes too; jemalloc does neither.
 */
static void *take_aligned(size_t align, size_t size)
{
	if (HP_UNLIKELY(!hp_is_pow2(align))) {
		if (align > SIZE_MAX / 2) {
			errno = EINVAL;
			return NULL;
		}
		align = align ? (size_t)2 << hp_log2(align) : 1;
	}
	size = size ? size : 1;
	return or_enomem(HP_HEAP(size, je_memalign(align, size),
				 hp_foreign_memalign(align, size)));
}

HP_EXPORT void *aligned_alloc(size_t align, size_t size)
{
	return take_aligned(align, size);
}

HP_EXPORT void *memalign(size_t align, size_t size)
{
	return take_aligned(align, size);
}

HP_EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
	int ret = 0;

	HP_HEAP(size, (ret = je_posix_memalign(out, align, size)) ? NULL : *out,
		(ret = hp_foreign_posix_memalign(out, align, size), NULL));
	return ret;
}

HP_EXPORT void *valloc(size_t size)
{
	return take_aligned(hp_linux_page_size(), size);
}

/* jemalloc has none before 5.3.1, and glibc's would be a foreign block */
HP_EXPORT void *pvalloc(size_t size)
{
	size_t page = hp_linux_page_size();

	if (size > SIZE_MAX - page) {
		errno = ENOMEM;
		return NULL;
	}
	return take_aligned(page, size ? hp_align_up(size, page) : page);
}

HP_EXPORT void free(void *p)
{
	if (HP_LIKELY(hp_heap_owns(p))) {
		hp_sampling_free(p);
		je_free(p);
	} else if (p) {
		hp_foreign_free(p);
	}
}

HP_EXPORT void *realloc(void *p, size_t size)
{
	struct hp_site_block known;
	void *moved;

	if (HP_UNLIKELY(!hp_heap_owns(p) && p))
		return hp_foreign_realloc(p, size);
	hp_sampling_move(p, &known);
	moved = HP_HEAP(size, je_realloc(p, size), hp_foreign_realloc(p, size));
	if (HP_LIKELY(moved != NULL) || size == 0)
		return moved;
	hp_sampling_stay(&known);
	errno = ENOMEM;
	return NULL;
}

HP_EXPORT size_t malloc_usable_size(void *p)
{
	if (HP_LIKELY(hp_heap_owns(p) || !p))
		return je_malloc_usable_size(p);
	return hp_foreign_usable_size(p);
}

HP_EXPORT int malloc_trim(size_t pad)
{
	(void)pad;
	if (!hp_heap_closed)
		hp_arena_trim();
	return 1;
}

/* C23; the size is a promise of the caller's that we need not believe */

void free_sized(void *p, size_t size);
void free_aligned_sized(void *p, size_t align, size_t size);

HP_EXPORT void free_sized(void *p, size_t size)
{
	(void)size;
	free(p);
}

HP_EXPORT void free_aligned_sized(void *p, size_t align, size_t size)
{
	(void)align;
	(void)size;
	free(p);
}

/* gone from glibc 2.26, still called by older binaries */
HP_EXPORT void cfree(void *p)
{
	free(p);
}

/* glibc's second names, for who wraps the first: blocks of one heap too */

HP_EXPORT void *__libc_malloc(size_t size)
{
	return malloc(size);
}

HP_EXPORT void *__libc_calloc(size_t n, size_t size)
{
	return calloc(n, size);
}

HP_EXPORT void *__libc_realloc(void *p, size_t size)
{
	return realloc(p, size);
}

HP_EXPORT void __libc_free(void *p)
{
	free(p);
}

HP_EXPORT void *__libc_memalign(size_t align, size_t size)
{
	return memalign(align, size);
}

HP_EXPORT void *__libc_valloc(size_t size)
{
	return valloc(size);
}

HP_EXPORT void *__libc_pvalloc(size_t size)
{
	return pvalloc(size);
}
