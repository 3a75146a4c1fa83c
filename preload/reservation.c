/* SPDX-License-Identifier: MIT */
#include "preload/reservation.h"

#include "libhp/heap.h"
#include "libhp/linux.h"
#include "preload/record.h"
#include "preload/sampling.h"

/* of a reservation, what is advised together with a part that is used */
#define WINDOW_SLOTS 512

/*
 * How much of a reservation is advised at once. Were it only what the program
 * makes usable, each piece it takes back would be a mapping of its own to the
 * kernel, as its flags are not those of the rest. But where a memory cgroup
 * bounds what may be advised it is no more than that.
 */
static size_t window(void)
{
	if (hp_heap_start.most > 0)
		return hp_heap.slots.page;
	/* all of it, whatever its size, rather than even more borders */
	return hp_record_has_many() ? (size_t)1 << 62
				    : WINDOW_SLOTS * hp_heap.slots.slot;
}

static bool may_commit(size_t len)
{
	return hp_start_outgrown(&hp_heap_start, len) && !hp_heap.keep &&
	       hp_share_affords(&hp_heap_start, len) &&
	       !(hp_heap_start.most > 0 && hp_record_has_many());
}

/*
 * What the program makes usable of a reservation. All of it is advised, not
 * only the whole slots inside: a border within the program's own range would
 * be one between mappings, which mremap does not cross, and reservations used
 * up in small steps would never have a slot.
 */
static void commit(uintptr_t start, uintptr_t end, bool fresh)
{
	struct hp_map opened;

	if (!may_commit(end - start))
		return;
	while (hp_record_open(start, end, window(), &opened))
		hp_linux_advise((void *)opened.start, opened.end - opened.start,
				MADV_HUGEPAGE);
	if (fresh)
		hp_linux_advise((void *)start, end - start, MADV_HUGEPAGE);
	hp_record_turn(start, end, HP_MAP_ADVISED, fresh);
	hp_sampling_map(start, end - start);
}

void hp_reservation_renewed(uintptr_t start, uintptr_t end)
{
	commit(start, end, true);
}

bool hp_reservation_commit(uintptr_t start, uintptr_t end)
{
	if (!hp_record_covers(start, end))
		return false;
	commit(start, end, false);
	return true;
}

/* in a memory cgroup it stays counted: it would be huge when used again */
bool hp_reservation_decommit(uintptr_t start, uintptr_t end)
{
	if (hp_heap_start.most > 0 || !hp_record_covers(start, end))
		return false;
	hp_record_turn(start, end, HP_MAP_READY, false);
	hp_sampling_unmap(start, end);
	return true;
}

/* mapped anew without any right, it has the flags of what lies around it */
void hp_reservation_reserved(uintptr_t start, uintptr_t end)
{
	bool ready = hp_heap_start.most == 0 && !hp_heap.keep &&
		     hp_record_touched(start, end);

	if (ready)
		hp_linux_advise((void *)start, end - start, MADV_HUGEPAGE);
	hp_record_turn(start, end, ready ? HP_MAP_READY : HP_MAP_RESERVED,
		       true);
	hp_sampling_unmap(start, end);
}
