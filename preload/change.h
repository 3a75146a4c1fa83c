/* SPDX-License-Identifier: MIT */
/*
 * change.h - what a program changes about memory it has: protection, advice,
 * locks
 *
 * The kernel does what was asked; what is noted is which memory of ours is no
 * longer like the memory next to it. Results are the kernel's: 0 or -errno.
 */
#ifndef HP_CHANGE_H
#define HP_CHANGE_H

#include <stddef.h>

long hp_change_protect(void *addr, size_t len, int prot);
/* hp_change_key - pkey_mprotect(2); the key is one, not -1 */
long hp_change_key(void *addr, size_t len, int prot, int key);
long hp_change_advise(void *addr, size_t len, int advice);
long hp_change_lock(void *addr, size_t len, int flags); /* mlock2(2) */

#endif
