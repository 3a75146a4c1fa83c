/* SPDX-License-Identifier: MIT */
#include "libhp/lock.h"

#include <limits.h>

#include "libhp/linux.h"

#define WAITED ((uint64_t)1)
#define TWICE ((uint64_t)2) /* by the same thread: hp_lock_take_to_fork() */
#define STUCK ((uint64_t)4) /* waited for in vain; until the holder drops it */
#define FLAGS (WAITED | TWICE | STUCK)

/* no address of a program has these bits; 256 forks, each in the child of the
 * last, and the count is the same again */
#define FORKS ((uint64_t)0xff << 56)
#define ONE_FORK ((uint64_t)1 << 56)
#define OWNER (~(FORKS | FLAGS))

/* a holder this late left by siglongjmp or sits in a handler that waits */
#define STUCK_WAITS 10
#define WAIT_MS 50
#define FOR_EVER INT_MAX

/* not changed while there is more than one thread */
static uint64_t forks;	  /* that led to this process */
static uint64_t survivor; /* the thread that made the last of them, or 0 */

static uint64_t self(void)
{
	return (uintptr_t)__builtin_thread_pointer() & OWNER;
}

static uint64_t taken(void)
{
	return self() | forks;
}

static bool is_self(uint64_t word)
{
	return (word & OWNER) == self();
}

/* the thread that forked may have been interrupted while it held the lock */
static bool is_orphan(uint64_t word)
{
	return word && (word & FORKS) != forks && (word & OWNER) != survivor;
}

static bool swap(struct hp_lock *lock, uint64_t *from, uint64_t to)
{
	return __atomic_compare_exchange_n(&lock->word, from, to, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* a futex is 32 bits: the lower half, first in memory on both machines */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "lower half first");

static const uint32_t *futex_of(const struct hp_lock *lock)
{
	return (const uint32_t *)&lock->word;
}

/*
 * One holder waited for in vain is enough: nobody else does. What it guards may
 * be half changed for ever, so the lock is not taken from it either.
 */
static void mark_stuck(struct hp_lock *lock, uint64_t seen)
{
	(void)!swap(lock, &seen, seen | STUCK);
}

static bool same_holder(uint64_t a, uint64_t b)
{
	return ((a ^ b) & ~FLAGS) == 0;
}

/*
 * Others may be waiting still, so whoever waited takes it as waited for.
 * False: @patience waits have passed, and all of them for the same holder.
 */
static bool wait_for(struct hp_lock *lock, int patience)
{
	uint64_t holder = 0;
	int waits = 0;

	for (;;) {
		uint64_t seen = 0;

		if (swap(lock, &seen, taken() | WAITED))
			return true;
		if (patience == FOR_EVER && HP_UNLIKELY(is_orphan(seen))) {
			(void)!swap(lock, &seen, 0);
			continue;
		}
		if (patience != FOR_EVER && (seen & STUCK || is_orphan(seen)))
			return false;
		if (!(seen & WAITED) && !swap(lock, &seen, seen | WAITED))
			continue;
		seen |= WAITED;
		waits = same_holder(seen, holder) ? waits : 0;
		holder = seen;
		if (hp_linux_futex_wait(futex_of(lock), (uint32_t)seen,
					WAIT_MS) == -ETIMEDOUT &&
		    ++waits >= patience)
			mark_stuck(lock, seen);
	}
}

bool hp_lock_try(struct hp_lock *lock)
{
	uint64_t seen = 0;

	return swap(lock, &seen, taken());
}

bool hp_lock_take(struct hp_lock *lock)
{
	uint64_t seen = 0;

	if (HP_LIKELY(swap(lock, &seen, taken())))
		return true;
	if (is_self(seen))
		return false;
	return wait_for(lock, STUCK_WAITS);
}

void hp_lock_wait(struct hp_lock *lock)
{
	uint64_t seen = 0;

	if (HP_UNLIKELY(!swap(lock, &seen, taken())))
		(void)!wait_for(lock, FOR_EVER);
}

static bool is_taken_twice(const struct hp_lock *lock)
{
	uint64_t word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);

	return is_self(word) && word & TWICE;
}

bool hp_lock_is_mine(const struct hp_lock *lock)
{
	return is_self(__atomic_load_n(&lock->word, __ATOMIC_RELAXED));
}

static bool take_twice(struct hp_lock *lock)
{
	if (!hp_lock_is_mine(lock))
		return false;
	__atomic_fetch_or(&lock->word, TWICE, __ATOMIC_RELAXED);
	return true;
}

void hp_lock_wait_to_fork(struct hp_lock *lock)
{
	if (!take_twice(lock))
		hp_lock_wait(lock);
}

bool hp_lock_take_to_fork(struct hp_lock *lock)
{
	return take_twice(lock) || hp_lock_take(lock);
}

void hp_lock_drop(struct hp_lock *lock)
{
	uint64_t was;

	if (HP_UNLIKELY(is_taken_twice(lock))) {
		__atomic_fetch_and(&lock->word, ~TWICE, __ATOMIC_RELAXED);
		return;
	}
	was = __atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE);
	if (was & WAITED)
		hp_linux_futex_wake(futex_of(lock));
}

void hp_lock_reset(struct hp_lock *lock)
{
	__atomic_store_n(&lock->word, is_taken_twice(lock) ? taken() : 0,
			 __ATOMIC_RELAXED);
}

void hp_lock_forked(void)
{
	forks += ONE_FORK;
	survivor = self();
}
