/* SPDX-License-Identifier: MIT */
/*
 * detour.h - calls that do not go straight to jemalloc
 *
 * The first call of all brings everything up. Where there is too little address
 * space for jemalloc (RLIMIT_AS, RLIMIT_DATA of a few MiB), which crashes when
 * it cannot make a thread's caches, libc's own malloc serves the process. And
 * calls that are sampled look at the clock of bytes.
 */
#ifndef HP_DETOUR_H
#define HP_DETOUR_H

#include "preload/sampling.h"

/* false once nothing but jemalloc is needed: the one word malloc looks at */
extern HP_HIDDEN bool hp_detour;

/* hp_detour_libc - brings everything up; is the heap libc's? */
bool hp_detour_libc(void);

/* HP_HEAP(size, call, instead) - @call of jemalloc, or libc's @instead */
#define HP_HEAP(size, call, instead)                                           \
	(HP_LIKELY(!hp_detour) ? (call)                                        \
	 : hp_detour_libc()    ? (instead)                                     \
			       : SAMPLED(size, call))

#endif
