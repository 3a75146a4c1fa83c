/* SPDX-License-Identifier: MIT */
/*
 * sites.h - who asked for the memory: call stacks (LIBHP_SITES)
 *
 * Stacks are walked with libunwind, which is opened only when it is asked for,
 * and then never waits for anybody: libhp/sites_libc.h.
 */
#ifndef HP_SITES_H
#define HP_SITES_H

#include "libhp/common.h"

#define HP_SITES_DEPTH 64 /* innermost frames that are kept */

/**
 * hp_sites_open - load the unwinder; before the program has threads
 *
 * Allocates, with the malloc of whoever the program has it from.
 *
 * Return: 0; -ENOENT no libunwind; -ENOTSUP it cannot be kept from waiting, or
 * this library was built without.
 */
HP_MUST_CHECK int hp_sites_open(void);

/**
 * hp_sites_walk - return addresses of the callers, innermost first
 * @pcs: receives up to HP_SITES_DEPTH
 *
 * Frames of the library this is linked into are left out. Must not be called
 * by a thread that holds a lock of libhp's: the first walk of a thread maps
 * memory. Where the program's malloc is its own, it may be called under a lock
 * of that. errno is kept.
 *
 * Return: number of frames, 0 when none is known.
 */
unsigned int hp_sites_walk(uintptr_t *pcs);

#endif
