/* SPDX-License-Identifier: MIT */
/*
 * hp_malloc.c - the heap of libhp-malloc.so
 *
 * A jemalloc of its own, not the program's malloc. Every arena of it has the
 * filler's hooks, the first from the constructor on, the others as threads
 * first come here.
 */
#include "libhp/hp_malloc.h"

#include <pthread.h>

#include "libhp/arena.h"
#include "libhp/fork.h"
#include "libhp/init.h"
#include "libhp/jemalloc.h"
#include "libhp/streams.h"

void hp_arena_boot(void)
{
	static const struct hp_context *context;

	if (context)
		return;
	context = hp_context();
	if (hp_heap_init(&context->options, &context->pagesizes, false) < 0)
		__builtin_trap(); /* no address space for a single page */
}

static void fork_prepare(void)
{
	hp_streams_fork_prepare();
	hp_arena_fork.prepare();
	hp_fork_prepare(&hp_heap);
}

static void fork_parent(void)
{
	hp_fork_parent(&hp_heap);
	hp_arena_fork.parent();
	hp_streams_fork_parent();
}

static void fork_child(void)
{
	hp_streams_fork_child();
	hp_fork_child(&hp_heap);
	hp_arena_forked();
	hp_arena_fork.child();
}

__attribute__((constructor)) static void start(void)
{
	hp_arena_init();
	pthread_atfork(fork_prepare, fork_parent, fork_child);
}

/* pthread_create is not ours to watch here, so threads are met as they come */
static void meet_thread(void)
{
	static __thread bool met;

	if (HP_LIKELY(met))
		return;
	met = true;
	hp_arena_for_thread();
}

HP_EXPORT void *hp_malloc(size_t size)
{
	meet_thread();
	return je_malloc(size);
}

HP_EXPORT void *hp_calloc(size_t n, size_t size)
{
	meet_thread();
	return je_calloc(n, size);
}

HP_EXPORT void *hp_realloc(void *p, size_t size)
{
	meet_thread();
	return je_realloc(p, size);
}

HP_EXPORT void hp_free(void *p)
{
	je_free(p);
}

HP_EXPORT void *hp_aligned_alloc(size_t align, size_t size)
{
	meet_thread();
	return je_aligned_alloc(align, size);
}

HP_EXPORT int hp_posix_memalign(void **out, size_t align, size_t size)
{
	meet_thread();
	return je_posix_memalign(out, align, size);
}

HP_EXPORT size_t hp_usable_size(void *p)
{
	return je_malloc_usable_size(p);
}

HP_EXPORT void hp_malloc_trim(void)
{
	hp_arena_trim();
}
