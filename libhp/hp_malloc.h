/* SPDX-License-Identifier: MIT */
/*
 * hp_malloc.h - a heap on huge pages, beside libc's malloc
 *
 * Link with -lhp-malloc (pkg-config libhp-malloc), which carries the API of
 * hp.h too. Blocks of these functions must come back through these functions;
 * blocks of malloc must not. All are thread-safe, none is async-signal-safe;
 * each follows the contract of the libc function of the same name, errno
 * included. The LIBHP_* variables that concern the heap apply.
 */
#ifndef HP_MALLOC_H
#define HP_MALLOC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *hp_malloc(size_t size);
void *hp_calloc(size_t n, size_t size);

/* hp_realloc - @p is NULL or a block of these functions; size 0 frees it */
void *hp_realloc(void *p, size_t size);

/* hp_free - errno is left as it was */
void hp_free(void *p);

/* @align: power of two */
void *hp_aligned_alloc(size_t align, size_t size);

/* Return: 0, EINVAL or ENOMEM, positive as in POSIX; @out untouched then */
int hp_posix_memalign(void **out, size_t align, size_t size);

/* bytes that may be used of block @p; 0 for NULL */
size_t hp_usable_size(void *p);

/* hp_malloc_trim - caches emptied, free slots back to the kernel */
void hp_malloc_trim(void);

#ifdef __cplusplus
}
#endif

#endif
