/* SPDX-License-Identifier: MIT */
/*
 * sites_libc.h - what libunwind calls in place of libc
 *
 * Alone, libunwind is no guest one can have in any program at any moment:
 *
 *   it lists the loaded objects with dl_iterate_phdr(3), whose lock may be held
 *   by a thread that waits for this one. Here _dl_find_object(3) answers, which
 *   has no lock;
 *
 *   it finds out whether an address can be read by writing what is there into a
 *   pipe. Its descriptors shift the program's, and a program that closes all
 *   it does not know finds bytes in its own files. Here there is no pipe, and
 *   nothing is opened during a walk;
 *
 *   its thread-local storage is malloc'ed at a thread's first walk, which may be
 *   in an mmap of the program's own malloc, under its lock. Here it is a part
 *   of this library's, which is there before the thread is.
 *
 * Of libunwind 1.1 to 1.9. A program may call the same libunwind, so whatever
 * is not a matter of the above goes on to libc.
 */
#ifndef HP_SITES_LIBC_H
#define HP_SITES_LIBC_H

#include <link.h>

#include "libhp/common.h"

typedef void (*hp_sites_fn)(void);

struct hp_sites_libc {
	const char *name;
	hp_sites_fn fn; /* with the parameters of what has the name */
};

/* the first is needed, the others where they are imported; ends with a NULL */
extern HP_HIDDEN const struct hp_sites_libc hp_sites_libc[];

/* during a walk by this thread: no file is opened */
extern HP_HIDDEN __thread bool hp_sites_walking;

/* hp_sites_libc_init - false: not for the libunwind at @map */
HP_MUST_CHECK bool hp_sites_libc_init(const struct link_map *map);

#endif
