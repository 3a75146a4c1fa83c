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
	uint64_t word; /* 0, or the owner's thread pointer and two flags */
};

/* false: this very thread holds it already, or its holder is stuck */
HP_MUST_CHECK bool hp_lock_take(struct hp_lock *lock);
/* hp_lock_try - without waiting */
HP_MUST_CHECK bool hp_lock_try(struct hp_lock *lock);
void hp_lock_drop(struct hp_lock *lock);
/* hp_lock_is_orphan - is it held by another thread than this, the only one? */
bool hp_lock_is_orphan(const struct hp_lock *lock);
/*
 * hp_lock_take_to_fork - never fails
 *
 * A signal handler may fork though it interrupted the holder. It takes the lock
 * a second time; the next hp_lock_drop() or hp_lock_reset() leaves the lock
 * with the interrupted call, which goes on in parent and child.
 */
void hp_lock_take_to_fork(struct hp_lock *lock);
/* hp_lock_reset - in the child after fork, where other holders are gone */
void hp_lock_reset(struct hp_lock *lock);

#endif
