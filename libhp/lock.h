/* SPDX-License-Identifier: MIT */
/*
 * lock.h - a futex lock that knows its owner
 *
 * The owner makes one thing possible that pthread mutexes cannot give: a
 * signal handler that interrupted the owner sees that waiting would never end
 * and takes another way (hp_lock_take() returns false). Owner and state are
 * one word, so there is no moment at which a handler could be deceived.
 *
 * A handler that leaves by siglongjmp leaves a lock behind that it interrupted
 * the holder of, and what that guards half changed. Whoever waits for such a
 * lock gives up after a while and marks it stuck; from then on nobody waits for
 * it and nobody gets it, unless the holder drops it after all. So what a lock
 * guards must be dispensable, or the lock never held where a program may jump
 * out.
 */
#ifndef HP_LOCK_H
#define HP_LOCK_H

#include "libhp/common.h"

struct hp_lock {
	/* 0, or the owner's thread pointer, three flags, and a count of forks */
	uint64_t word;
};

/* false: this very thread holds it already, or its holder is stuck or stayed in
 * the parent of a fork */
HP_MUST_CHECK bool hp_lock_take(struct hp_lock *lock);
/* hp_lock_try - without waiting */
HP_MUST_CHECK bool hp_lock_try(struct hp_lock *lock);
/*
 * hp_lock_wait - for what there is no way without: however long it takes
 *
 * In the child of a fork it is taken from a holder that stayed in the parent.
 */
void hp_lock_wait(struct hp_lock *lock);
void hp_lock_drop(struct hp_lock *lock);
bool hp_lock_is_mine(const struct hp_lock *lock);
/*
 * hp_lock_take_to_fork, hp_lock_wait_to_fork - the same before a fork
 *
 * A signal handler may fork though it interrupted the holder. It takes the lock
 * a second time; the next hp_lock_drop() or hp_lock_reset() leaves the lock
 * with the interrupted call, which goes on in parent and child.
 */
HP_MUST_CHECK bool hp_lock_take_to_fork(struct hp_lock *lock);
void hp_lock_wait_to_fork(struct hp_lock *lock);
/* hp_lock_reset - in the child after fork, where other holders are gone */
void hp_lock_reset(struct hp_lock *lock);
/* hp_lock_forked - once in each child: who holds a lock now is not here */
void hp_lock_forked(void);

#endif
