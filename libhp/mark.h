/* SPDX-License-Identifier: MIT */
/*
 * mark.h - memory in use whose mapping the program changed itself
 *
 * Protection, advice and locks belong to the block, and libc's allocator would
 * unmap them with it: the next owner of the pages must not find them.
 */
#ifndef HP_MARK_H
#define HP_MARK_H

#include "libhp/filler.h"

/**
 * hp_mark - the program changed [addr, end), whole pages
 * @lasts: the mapping differs from now on, and not only what is in the pages
 *
 * From a signal handler that interrupted the filler nothing is noted.
 */
void hp_mark(struct hp_filler *f, uintptr_t addr, uintptr_t end, bool lasts,
	     enum hp_reason reason);

/* hp_mark_locked - the same for a lock, which a pool page does not keep */
void hp_mark_locked(struct hp_filler *f, uintptr_t addr, uintptr_t end);

/**
 * hp_mark_undo - pages about to be free become ordinary memory again
 *
 * Pages nobody changed keep their contents and their huge page.
 *
 * Return: 0; -errno the kernel refuses, and they must not be used again.
 */
HP_MUST_CHECK int hp_mark_undo(struct hp_filler *f, uintptr_t addr,
			       size_t pages);

#endif
