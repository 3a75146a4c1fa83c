/* SPDX-License-Identifier: MIT */
#include "libhp/lock.h"

#include "libhp/linux.h"

/* a holder this late left by siglongjmp or sits in a handler that waits */
#define STUCK_WAITS 20
#define WAIT_MS 50

#define FREE ((uint64_t)0)
#define WAITED ((uint64_t)1) /* thread pointers are aligned */

static uint64_t self(void)
{
	return (uintptr_t)__builtin_thread_pointer();
}

static bool swap(struct hp_lock *lock, uint64_t from, uint64_t to)
{
	return __atomic_compare_exchange_n(&lock->word, &from, to, false,
					   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* the futex is the half of the word that says whether it is waited for */
static const uint32_t *futex(const struct hp_lock *lock)
{
	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
		       "the low half comes first");
	return (const uint32_t *)&lock->word;
}

static bool wait_for(struct hp_lock *lock)
{
	for (int i = 0; i < STUCK_WAITS;) {
		uint64_t word = __atomic_load_n(&lock->word, __ATOMIC_RELAXED);

		if (word == FREE) {
			/* there may be others that wait */
			if (swap(lock, FREE, self() | WAITED))
				return true;
		} else if (word & WAITED || swap(lock, word, word | WAITED)) {
			hp_linux_futex_wait(futex(lock),
					    (uint32_t)(word | WAITED),
					    WAIT_MS);
			i++;
		}
	}
	return false;
}

bool hp_lock_try(struct hp_lock *lock)
{
	return swap(lock, FREE, self());
}

bool hp_lock_take(struct hp_lock *lock)
{
	if (hp_lock_try(lock))
		return true;
	if ((__atomic_load_n(&lock->word, __ATOMIC_RELAXED) & ~WAITED) ==
	    self())
		return false;
	return wait_for(lock);
}

void hp_lock_drop(struct hp_lock *lock)
{
	if (__atomic_exchange_n(&lock->word, FREE, __ATOMIC_RELEASE) & WAITED)
		hp_linux_futex_wake(futex(lock));
}

void hp_lock_reset(struct hp_lock *lock)
{
	__atomic_store_n(&lock->word, FREE, __ATOMIC_RELAXED);
}
