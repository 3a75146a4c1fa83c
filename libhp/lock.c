/* SPDX-License-Identifier: MIT */
#include "libhp/lock.h"

#include "libhp/linux.h"

enum { FREE, HELD, WAITED };

/* a holder this late left by siglongjmp or sits in a handler that waits */
#define STUCK_WAITS 20
#define WAIT_MS 50

static void *self(void)
{
	return __builtin_thread_pointer();
}

static bool swap(struct hp_lock *lock, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&lock->state, &from, to, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static bool wait_for(struct hp_lock *lock)
{
	for (int i = 0; i < STUCK_WAITS; i++) {
		if (__atomic_exchange_n(&lock->state, WAITED,
					__ATOMIC_ACQUIRE) == FREE)
			return true;
		hp_linux_futex_wait(&lock->state, WAITED, WAIT_MS);
	}
	return false;
}

bool hp_lock_try(struct hp_lock *lock)
{
	if (!swap(lock, FREE, HELD))
		return false;
	__atomic_store_n(&lock->owner, self(), __ATOMIC_RELAXED);
	return true;
}

bool hp_lock_take(struct hp_lock *lock)
{
	if (!swap(lock, FREE, HELD)) {
		if (__atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == self())
			return false;
		if (!wait_for(lock))
			return false;
	}
	__atomic_store_n(&lock->owner, self(), __ATOMIC_RELAXED);
	return true;
}

void hp_lock_drop(struct hp_lock *lock)
{
	__atomic_store_n(&lock->owner, NULL, __ATOMIC_RELAXED);
	if (__atomic_exchange_n(&lock->state, FREE, __ATOMIC_RELEASE) == WAITED)
		hp_linux_futex_wake(&lock->state);
}

void hp_lock_reset(struct hp_lock *lock)
{
	__atomic_store_n(&lock->owner, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&lock->state, FREE, __ATOMIC_RELAXED);
}
