/* SPDX-License-Identifier: MIT */
/*
 * place.h - what happens to the program's own mappings
 *
 * Only anonymous private read-write mappings without placement constraints
 * are touched: packed when small, aligned and advised when large. A PROT_NONE
 * reservation is left alone until the program commits some of it, and advised
 * around there. Everything else goes to the kernel as it is.
 *
 * Results are the kernel's: an address, 0 or -errno.
 */
#ifndef HP_PLACE_H
#define HP_PLACE_H

#include <sys/types.h>

#include "libhp/init.h"

void hp_place_init(const struct hp_context *context);

long hp_place_map(void *addr, size_t len, int prot, int flags, int fd,
		  off_t offset);
/* hp_place_unmapping - before hp_place_unmap(), outside the gate */
void hp_place_unmapping(void *addr, size_t len);
long hp_place_unmap(void *addr, size_t len);
long hp_place_remap(void *addr, size_t old_len, size_t new_len, int flags,
		    void *new_addr);
void hp_place_keep(void);

/* hp_place_lock - mappings to come are locked (MCL_FUTURE), or not any more */
void hp_place_lock(bool locks);

#endif
