/* SPDX-License-Identifier: MIT */
/*
 * arena.h - jemalloc on top of the heap's filler
 *
 * The only file that knows jemalloc's types. jemalloc is linked in with its
 * names prefixed (preload/jemalloc.syms) and its libc calls redirected to
 * jeshim.c, so every page it ever uses, its own tables included, comes from
 * the filler. That is why "is this block ours?" is one comparison.
 */
#ifndef HP_ARENA_H
#define HP_ARENA_H

#include "libhp/heap.h"

/* hp_arena_conf - the option string jemalloc starts with */
const char *hp_arena_conf(void);

/**
 * hp_arena_init - give the first arena its hooks; starts jemalloc if need be
 *
 * Extents made before this came through jeshim.c out of the same filler.
 */
void hp_arena_init(void);

/**
 * hp_arena_for_thread - one more thread is about to start
 *
 * Arenas cost memory and start-up time, so each is made when a thread comes
 * that can use it, up to one per CPU.
 */
void hp_arena_for_thread(void);

/* hp_arena_trim - caches emptied, free memory back to the kernel */
void hp_arena_trim(void);

/* fork handlers of jemalloc, as it registered them */
struct hp_arena_fork {
	void (*prepare)(void);
	void (*parent)(void);
	void (*child)(void);
};
extern struct hp_arena_fork hp_arena_fork;

/*
 * hp_arena_watch - told of extents that jemalloc got and gave back; may be NULL
 *
 * Called with jemalloc's locks held: note it, and do no more.
 */
struct hp_arena_watch {
	void (*grown)(uintptr_t start, size_t len);
	void (*shrunk)(uintptr_t start, size_t len);
};
extern struct hp_arena_watch hp_arena_watch;

/* hp_arena_forked - in the child, before jemalloc's own handler */
void hp_arena_forked(void);

/* what jeshim.c calls at jemalloc's very first step; ours to define per library */
void hp_arena_boot(void);

#endif
