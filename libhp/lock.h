/* SPDX-License-Identifier: MIT */
/*
 * lock.h - a futex lock that knows its owner
 *
 * The owner makes one thing possible that pthread mutexes cannot give: a
 * signal handler that interrupted the owner sees that waiting would never end
 * and takes another way (hp_lock_take() returns false). Owner and state are
 * one word, so there is no moment at which a handler could be deceived.
 */
#ifndef HP_LOCK_H
#define HP_LOCK_H

#include "libhp/common.h"

struct hp_lock {
	uint64_t word; /* the owner's thread pointer, bit 0: waited for; or 0 */
};

/* false: this very thread holds it already, or its holder is stuck */
HP_MUST_CHECK bool hp_lock_take(struct hp_lock *lock);
/* hp_lock_try - without waiting */
HP_MUST_CHECK bool hp_lock_try(struct hp_lock *lock);
void hp_lock_drop(struct hp_lock *lock);
/* hp_lock_is_orphan - is it held by another thread than this, the only one? */
bool hp_lock_is_orphan(const struct hp_lock *lock);
/* hp_lock_reset - in the child after fork, where the holder is gone */
void hp_lock_reset(struct hp_lock *lock);

#endif
