/* SPDX-License-Identifier: MIT */
#include "libhp/lock.h"

#include "libhp/linux.h"

/* 0 free; else the holder's number, and in bit 0 whether anybody waits */
#define FREE 0u
#define WAITED 1u

/* a holder this late left by siglongjmp or sits in a handler that waits */
#define STUCK_WAITS 20
#define WAIT_MS 50

/*
 * Taking the lock and signing it must be one instruction: a handler that came
 * between them would wait for the thread it interrupted. The number need not
 * be unique; who finds its own on another's lock is told that it is stuck.
 */
static uint32_t self(void)
{
	uintptr_t tp = (uintptr_t)__builtin_thread_pointer();

	return ((uint32_t)(tp >> 4) ^ (uint32_t)(tp >> 32)) | 2 | WAITED;
}

static bool swap(struct hp_lock *lock, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&lock->state, &from, to, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static uint32_t state_of(const struct hp_lock *lock)
{
	return __atomic_load_n(&lock->state, __ATOMIC_RELAXED);
}

/* takes it as one that is waited for: others may be waiting still */
static bool wait_for(struct hp_lock *lock, uint32_t me)
{
	for (int i = 0; i < STUCK_WAITS;) {
		uint32_t state = state_of(lock);

		if (state == FREE) {
			if (swap(lock, FREE, me))
				return true;
		} else if (state & WAITED || swap(lock, state, state | WAITED)) {
			hp_linux_futex_wait(&lock->state, state | WAITED,
					    WAIT_MS);
			i++;
		}
	}
	return false;
}

bool hp_lock_take(struct hp_lock *lock)
{
	uint32_t me = self();

	if (swap(lock, FREE, me & ~WAITED))
		return true;
	if ((state_of(lock) | WAITED) == me)
		return false;
	return wait_for(lock, me);
}

void hp_lock_drop(struct hp_lock *lock)
{
	if (__atomic_exchange_n(&lock->state, FREE, __ATOMIC_RELEASE) & WAITED)
		hp_linux_futex_wake(&lock->state);
}

void hp_lock_reset(struct hp_lock *lock)
{
	__atomic_store_n(&lock->state, FREE, __ATOMIC_RELAXED);
}
