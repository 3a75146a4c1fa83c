/* SPDX-License-Identifier: MIT */
/*
 * foreign.h - blocks of libc's own malloc that reach ours
 */
#ifndef HP_FOREIGN_H
#define HP_FOREIGN_H

#include <stddef.h>

/*
 * hp_foreign_init - libc's own malloc_usable_size, which has no second name
 *
 * The next one behind this library may be another allocator's: programs are
 * linked with libjemalloc.
 */
void hp_foreign_init(size_t (*libc_usable_size)(void *p));

void hp_foreign_free(void *p);

/* the block stays libc's if it can; errno as libc leaves it */
void *hp_foreign_realloc(void *p, size_t size);

size_t hp_foreign_usable_size(void *p);

#endif
