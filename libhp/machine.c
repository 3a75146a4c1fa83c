/* SPDX-License-Identifier: MIT */
#include "libhp/machine.h"

#include "libhp/common.h"
#include "libhp/hp.h"
#include "libhp/lock.h"

static struct hp_pagesizes machine;
static bool known;
static struct hp_lock lock; /* guards the first filling of machine */

/* read beside the lock, for reading sleeps; both of two racers read the same */
static void learn(void)
{
	struct hp_pagesizes fresh;

	hp_pagesizes_read(&fresh);
	if (!hp_lock_take(&lock))
		return;
	if (!known) {
		machine = fresh;
		__atomic_store_n(&known, true, __ATOMIC_RELEASE);
	}
	hp_lock_drop(&lock);
}

const struct hp_pagesizes *hp_machine(void)
{
	if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE))
		learn();
	return &machine;
}

HP_EXPORT size_t hp_slot_size(void)
{
	return hp_machine()->pmd;
}

HP_EXPORT size_t hp_pages_needed(size_t bytes)
{
	size_t slot = hp_slot_size();

	return bytes / slot + (bytes % slot != 0);
}
