/* SPDX-License-Identifier: MIT */
/*
 * lock.h - a futex lock that knows its owner
 *
 * The owner makes one thing possible that pthread mutexes cannot give: a
 * signal handler that interrupted the owner sees that waiting would never end
 * and takes another way (hp_lock_take() returns false).
 */
#ifndef HP_LOCK_H
#define HP_LOCK_H

#include "libhp/common.h"

/*
 * The owner's thread pointer, plus 1 when it is waited for; 0: free. One word,
 * so that there is no moment when it is held and the owner is not known.
 */
struct hp_lock {
	uint64_t word;
};

/* false: this very thread holds it already, or its holder is stuck */
HP_MUST_CHECK bool hp_lock_take(struct hp_lock *lock);
/* hp_lock_try - without waiting */
HP_MUST_CHECK bool hp_lock_try(struct hp_lock *lock);
void hp_lock_drop(struct hp_lock *lock);
/* hp_lock_reset - in the child after fork, where the holder is gone */
void hp_lock_reset(struct hp_lock *lock);

#endif
