/* SPDX-License-Identifier: MIT */
#include "libhp/lock.h"

#include "libhp/linux.h"

#define WAITED ((uint64_t)1)
#define TWICE ((uint64_t)2) /* by the same thread: hp_lock_take_to_fork() */
#define FLAGS (WAITED | TWICE)

/* a holder this late left by siglongjmp or sits in a handler that waits */
#define STUCK_WAITS 20
#define WAIT_MS 50

static uint64_t self(void)
{
	return (uintptr_t)__builtin_thread_pointer();
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

/* others may be waiting still, so whoever waited takes it as waited for */
static bool wait_for(struct hp_lock *lock)
{
	int waits = 0;

	while (waits < STUCK_WAITS) {
		uint64_t seen = 0;

		if (swap(lock, &seen, self() | WAITED))
			return true;
		if (!(seen & WAITED) && !swap(lock, &seen, seen | WAITED))
			continue;
		if (hp_linux_futex_wait(futex_of(lock),
					(uint32_t)(seen | WAITED),
					WAIT_MS) == -ETIMEDOUT)
			waits++;
	}
	return false;
}

bool hp_lock_try(struct hp_lock *lock)
{
	uint64_t seen = 0;

	return swap(lock, &seen, self());
}

bool hp_lock_take(struct hp_lock *lock)
{
	uint64_t seen = 0;

	if (HP_LIKELY(swap(lock, &seen, self())))
		return true;
	if ((seen & ~FLAGS) == self())
		return false;
	return wait_for(lock);
}

static bool is_taken_twice(const struct hp_lock *lock)
{
	uint64_t word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);

	return (word & ~WAITED) == (self() | TWICE);
}

static bool is_mine(const struct hp_lock *lock)
{
	uint64_t word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);

	return (word & ~FLAGS) == self();
}

void hp_lock_take_to_fork(struct hp_lock *lock)
{
	while (!hp_lock_take(lock))
		if (is_mine(lock)) {
			__atomic_fetch_or(&lock->word, TWICE, __ATOMIC_RELAXED);
			return;
		}
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

bool hp_lock_is_orphan(const struct hp_lock *lock)
{
	uint64_t word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);

	return word && (word & ~FLAGS) != self();
}

void hp_lock_reset(struct hp_lock *lock)
{
	__atomic_store_n(&lock->word, is_taken_twice(lock) ? self() : 0,
			 __ATOMIC_RELAXED);
}
