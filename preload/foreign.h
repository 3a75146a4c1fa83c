/* SPDX-License-Identifier: MIT */
/*
 * foreign.h - blocks of libc's own malloc that reach ours
 */
#ifndef HP_FOREIGN_H
#define HP_FOREIGN_H

#include <stddef.h>

/*
 * hp_foreign_init - finds libc's own functions, in libc's own table
 *
 * The loader would find ours under all their names, and the next ones behind
 * may be another allocator's: programs are linked with libjemalloc. To be
 * called before hp_binding_init() changes that table.
 */
void hp_foreign_init(void);

/* for a process whose heap is libc's: preload/detour.h */
void *hp_foreign_malloc(size_t size);
void *hp_foreign_calloc(size_t n, size_t size);
void *hp_foreign_memalign(size_t align, size_t size);
int hp_foreign_posix_memalign(void **out, size_t align, size_t size);

void hp_foreign_free(void *p);

/* the block stays libc's if it can; errno as libc leaves it */
void *hp_foreign_realloc(void *p, size_t size);

size_t hp_foreign_usable_size(void *p);

#endif
