/* SPDX-License-Identifier: MIT */
/*
 * libc_names.h - glibc's second names of the malloc family, in no header
 */
#ifndef HP_LIBC_NAMES_H
#define HP_LIBC_NAMES_H

#include <stddef.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);
void *__libc_memalign(size_t align, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);
void cfree(void *p); /* gone from glibc 2.26 */

#endif
