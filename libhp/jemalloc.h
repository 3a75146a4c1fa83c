/* SPDX-License-Identifier: MIT */
/*
 * jemalloc.h - the functions of the linked-in jemalloc, by their prefixed names
 *
 * Contracts as in jemalloc(3). preload/jemalloc.syms says what is renamed.
 */
#ifndef HP_JEMALLOC_H
#define HP_JEMALLOC_H

#include <stdbool.h>
#include <stddef.h>

void *je_malloc(size_t size);
void *je_calloc(size_t n, size_t size);
void *je_realloc(void *p, size_t size);
void je_free(void *p);
void *je_aligned_alloc(size_t align, size_t size);
void *je_memalign(size_t align, size_t size);
int je_posix_memalign(void **out, size_t align, size_t size);
void *je_valloc(size_t size);
size_t je_malloc_usable_size(const void *p);

void *je_mallocx(size_t size, int flags);
void *je_rallocx(void *p, size_t size, int flags);
size_t je_xallocx(void *p, size_t size, size_t extra, int flags);
size_t je_sallocx(const void *p, int flags);
void je_dallocx(void *p, int flags);
void je_sdallocx(void *p, size_t size, int flags);
size_t je_nallocx(size_t size, int flags);
int je_mallctl(const char *name, void *old, size_t *old_len, void *new_value,
	       size_t new_len);
int je_mallctlnametomib(const char *name, size_t *mib, size_t *len);
int je_mallctlbymib(const size_t *mib, size_t len, void *old, size_t *old_len,
		    void *new_value, size_t new_len);
void je_malloc_stats_print(void (*write)(void *, const char *), void *arg,
			   const char *opts);

#endif
