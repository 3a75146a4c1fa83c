/* SPDX-License-Identifier: MIT */
#include "preload/change.h"

#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/uio.h>

#include "libhp/heap.h"
#include "libhp/linux.h"
#include "preload/hugetlb.h"
#include "preload/record.h"
#include "preload/reservation.h"

/* other errors may come when a part of the range has been changed already */
static bool is_refused(long ret, const void *addr)
{
	return ret == -EPERM || ret == -EBADF || ret == -EFAULT ||
	       ret == -ESRCH || ret == -ENOSYS ||
	       (ret == -EINVAL && (uintptr_t)addr & (hp_heap.slots.page - 1));
}

/* whole pages of a range; false: nothing of it is in hand */
static bool is_near(const void *addr, size_t len, uintptr_t *start,
		    uintptr_t *end)
{
	*start = hp_align_down((uintptr_t)addr, hp_heap.slots.page);
	*end = hp_align_up((uintptr_t)addr + len, hp_heap.slots.page);
	return *start < *end && hp_record_near(*start, *end);
}

static bool in_hand(long ret, const void *addr, size_t len, uintptr_t *start,
		    uintptr_t *end)
{
	return !is_refused(ret, addr) && is_near(addr, len, start, end);
}

static void note(long ret, uintptr_t start, uintptr_t end, bool lasts,
		 enum hp_reason reason)
{
	hp_record_changed(start, end, lasts, ret < 0 ? HP_REASON_NONE : reason);
}

/* a change of what is in use and what is not, of a reservation */
static bool is_commit(uintptr_t start, uintptr_t end, int prot)
{
	if (prot == PROT_NONE)
		return hp_reservation_decommit(start, end);
	return prot == (PROT_READ | PROT_WRITE) &&
	       hp_reservation_commit(start, end);
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
	if (ret < 0 || !is_commit(start, end, prot))
		note(ret, start, end, true, HP_REASON_SPLIT);
	return ret;
}

long hp_change_key(void *addr, size_t len, int prot, int key)
{
	uintptr_t start, end;
	long ret;

	hp_hugetlb_cut(addr, len);
	ret = hp_linux_protect_key(addr, len, prot, key);
	if (in_hand(ret, addr, len, &start, &end))
		note(ret, start, end, true, HP_REASON_SPLIT);
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

static void note_advice(long ret, const void *addr, size_t len, int advice)
{
	uintptr_t start, end;

	if (!is_passing(advice) && in_hand(ret, addr, len, &start, &end))
		note(ret, start, end, lasts(advice),
		     reason_of(start, end, advice));
}

static long advise_small(void *addr, size_t len, int advice)
{
	long ret = hp_linux_advise(addr, len, advice);

	if (hp_hugetlb_yields(ret, addr, len))
		ret = hp_linux_advise(addr, len, advice);
	note_advice(ret, addr, len, advice);
	return ret;
}

long hp_change_advise(void *addr, size_t len, int advice)
{
	long ret;

	if (hp_hugetlb_advise(addr, len, advice, advise_small, &ret))
		return ret;
	return advise_small(addr, len, advice);
}

/*
 * Whatever the descriptor stands for: of another process' memory nothing is in
 * hand, or what lies at these addresses here is renewed once without need. How
 * far the kernel came is not known, but where it says EFAULT or EINVAL the
 * ranges themselves may be unreadable.
 */
ssize_t hp_change_advise_by(int pidfd, const struct iovec *ranges, size_t n,
			    int advice, unsigned int flags)
{
	ssize_t ret = hp_linux_advise_by(pidfd, ranges, n, advice, flags);

	if (ret == 0 || ret == -EINVAL || ret == -EACCES ||
	    is_refused(ret, NULL))
		return ret;
	for (size_t i = 0; i < n; i++)
		note_advice(ret, ranges[i].iov_base, ranges[i].iov_len, advice);
	return ret;
}

/* growth of the heap must not inherit the lock, nor the next owner */
static void note_lock(long ret, const void *addr, size_t len)
{
	uintptr_t start, end;

	if (in_hand(ret, addr, len, &start, &end))
		hp_record_locked(start, end);
}

long hp_change_lock(void *addr, size_t len, int flags)
{
	long ret = hp_linux_lock(addr, len, flags);

	note_lock(ret, addr, len);
	return ret;
}

/* after MCL_FUTURE the next owner must find it locked */
long hp_change_unlock(void *addr, size_t len)
{
	long ret = hp_linux_unlock(addr, len);

	note_lock(ret, addr, len);
	return ret;
}

/* memory is as huge as before, but the next owner must not find it so */
long hp_change_policy(void *addr, size_t len, int mode,
		      const unsigned long *mask, unsigned long maxnode,
		      unsigned int flags)
{
	long ret = hp_linux_bind(addr, len, mode, mask, maxnode, flags);
	uintptr_t start, end;

	if (in_hand(ret, addr, len, &start, &end))
		note(ret, start, end, true, HP_REASON_NONE);
	return ret;
}

void hp_change_tried(const void *addr, size_t len)
{
	uintptr_t start, end;

	if (!((uintptr_t)addr & (hp_heap.slots.page - 1)) &&
	    is_near(addr, len, &start, &end))
		hp_record_changed(start, end, true, HP_REASON_NONE);
}

/*
 * Where the kernel chooses the place it takes none of ours, and shmdt(2) leaves
 * a hole in what is known to be changed.
 */
long hp_change_attach(int id, const void *addr, int flags)
{
	uintptr_t at = hp_align_down((uintptr_t)addr, hp_heap.slots.page);
	bool ours = addr && hp_record_near(at, at + 1);
	size_t len = ours ? hp_linux_shm_size(id) : 0;
	long ret = hp_linux_shm_attach(id, addr, flags);
	uintptr_t start, end;

	if (hp_linux_failed(ret) && flags & SHM_REMAP)
		hp_change_tried((void *)at, len);
	else if (!hp_linux_failed(ret) &&
		 is_near((void *)ret, len, &start, &end))
		hp_record_mapped(start, end);
	return ret;
}
