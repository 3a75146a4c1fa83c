/* SPDX-License-Identifier: MIT */
#include "preload/change.h"

#include <sys/mman.h>

#include "libhp/heap.h"
#include "libhp/linux.h"
#include "preload/hugetlb.h"
#include "preload/place.h"
#include "preload/record.h"

/* whole pages of a range the kernel took; false: nothing of it is in hand */
static bool in_hand(long ret, const void *addr, size_t len, uintptr_t *start,
		    uintptr_t *end)
{
	*start = hp_align_down((uintptr_t)addr, hp_heap.slots.page);
	*end = hp_align_up((uintptr_t)addr + len, hp_heap.slots.page);
	return ret == 0 && *start < *end && hp_record_near(*start, *end);
}

long hp_change_protect(void *addr, size_t len, int prot)
{
	uintptr_t start, end;
	long ret;

	/* beforehand: refused for its last page it has changed the first ones */
	hp_hugetlb_cut(addr, len);
	ret = hp_linux_protect(addr, len, prot);
	if (!in_hand(ret, addr, len, &start, &end))
		return ret;
	if (prot != (PROT_READ | PROT_WRITE) || !hp_place_commit(start, end))
		hp_record_changed(start, end, true, HP_REASON_SPLIT);
	return ret;
}

long hp_change_key(void *addr, size_t len, int prot, int key)
{
	uintptr_t start, end;
	long ret;

	hp_hugetlb_cut(addr, len);
	ret = hp_linux_protect_key(addr, len, prot, key);
	if (in_hand(ret, addr, len, &start, &end))
		hp_record_changed(start, end, true, HP_REASON_SPLIT);
	return ret;
}

static enum hp_reason reason_of(uintptr_t start, uintptr_t end, int advice)
{
	if (advice == MADV_NOHUGEPAGE)
		return HP_REASON_PROGRAM_ADVICE;
	if ((start | end) & (hp_heap.slots.slot - 1))
		return HP_REASON_SPLIT;
	return HP_REASON_NONE;
}

/* advice that leaves the mapping itself as it is */
static bool is_passing(int advice)
{
	return advice == MADV_WILLNEED || advice == MADV_POPULATE_READ ||
	       advice == MADV_POPULATE_WRITE || advice == MADV_COLLAPSE;
}

/* what changes pages only is over when they are used again */
static bool lasts(int advice)
{
	return advice != MADV_DONTNEED && advice != MADV_FREE &&
	       advice != MADV_COLD && advice != MADV_PAGEOUT;
}

static long advise_small(void *addr, size_t len, int advice)
{
	long ret = hp_linux_advise(addr, len, advice);
	uintptr_t start, end;

	if (hp_hugetlb_yields(ret, addr, len))
		ret = hp_linux_advise(addr, len, advice);
	if (in_hand(ret, addr, len, &start, &end) && !is_passing(advice))
		hp_record_changed(start, end, lasts(advice),
				  reason_of(start, end, advice));
	return ret;
}

long hp_change_advise(void *addr, size_t len, int advice)
{
	long ret;

	if (hp_hugetlb_advise(addr, len, advice, advise_small, &ret))
		return ret;
	return advise_small(addr, len, advice);
}

/* growth of the heap must not inherit the lock, nor the next owner */
long hp_change_lock(void *addr, size_t len, int flags)
{
	long ret = hp_linux_lock(addr, len, flags);
	uintptr_t start, end;

	if (in_hand(ret, addr, len, &start, &end))
		hp_record_locked(start, end);
	return ret;
}
