/* SPDX-License-Identifier: MIT */
#include "libhp/gate.h"

#include "libhp/linux.h"

enum { WAIT_MS = 20 };

static uint32_t inside;	 /* threads between enter and leave */
static uint32_t is_shut; /* 1: they wait outside */
static uint64_t changes;

/*
 * Both sides write their own word before they read the other's, so at least
 * one of them sees the other (sequentially consistent atomics).
 */
static bool enter(void)
{
	__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
	if (HP_LIKELY(!__atomic_load_n(&is_shut, __ATOMIC_SEQ_CST)))
		return true;
	__atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
	return false;
}

void hp_gate_enter(void)
{
	if (HP_LIKELY(enter()))
		return;
	do
		hp_linux_futex_wait(&is_shut, 1, WAIT_MS);
	while (!enter());
	/* One is woken when it opens; each wakes the next. */
	hp_linux_futex_wake(&is_shut);
}

void hp_gate_leave(void)
{
	__atomic_fetch_add(&changes, 1, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
}

static bool is_empty(void)
{
	return !__atomic_load_n(&inside, __ATOMIC_SEQ_CST);
}

/* Nobody wakes us: a change takes microseconds, and this is no hurry. */
static bool wait_until_empty(void)
{
	static const uint32_t never;

	for (unsigned int ms = 0; ms < WAIT_MS; ms++) {
		if (is_empty())
			return true;
		hp_linux_futex_wait(&never, 0, 1);
	}
	return is_empty();
}

bool hp_gate_shut(uint64_t *stamp)
{
	uint32_t was = 0;

	if (!__atomic_compare_exchange_n(&is_shut, &was, 1, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return false;
	if (!wait_until_empty()) {
		hp_gate_open();
		return false;
	}
	*stamp = __atomic_load_n(&changes, __ATOMIC_RELAXED);
	return true;
}

void hp_gate_open(void)
{
	__atomic_store_n(&is_shut, 0, __ATOMIC_SEQ_CST);
	hp_linux_futex_wake(&is_shut);
}

void hp_gate_forked(void)
{
	inside = 0;
	is_shut = 0;
}
