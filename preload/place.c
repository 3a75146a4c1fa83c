/* SPDX-License-Identifier: MIT */
#include "preload/place.h"

#include "libhp/heap.h"
#include "libhp/linux.h"
#include "libhp/stats.h"
#include "preload/aligned.h"
#include "preload/hugetlb.h"
#include "preload/outcome.h"
#include "preload/pack.h"
#include "preload/record.h"
#include "preload/reservation.h"
#include "preload/sampling.h"

/* smaller mappings are not worth a place in the table */
#define PACK_MIN (64 * HP_KIB)

#define PLAIN_FLAGS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_POPULATE)

static size_t slot, page;
static bool packs, aligns; /* what LIBHP_MMAP and the machine allow */
static bool forbids;	   /* mode off where THP is "always" */
static bool locked;	   /* MCL_FUTURE */

void hp_place_init(const struct hp_context *context)
{
	const struct hp_options *opt = &context->options;
	const struct hp_pagesizes *ps = &context->pagesizes;

	slot = ps->pmd;
	page = ps->base;
	if (context->passive || hp_heap_closed || opt->mmap == HP_MMAP_OFF)
		return;
	forbids = opt->mode == HP_MODE_OFF && ps->thp == HP_THP_ALWAYS;
	if (opt->mode == HP_MODE_OFF ||
	    hp_pagesizes_thp_reason(ps) != HP_REASON_NONE)
		return;
	aligns = true;
	packs = opt->mmap == HP_MMAP_PACK &&
		hp_pack_init(context, &hp_heap_start) == 0;
	hp_record_init(packs);
}

/* a mapping we may choose the place of */
static bool is_plain(const void *addr, int prot, int flags, off_t offset)
{
	return !addr && prot == (PROT_READ | PROT_WRITE) && offset == 0 &&
	       (flags & ~PLAIN_FLAGS) == 0 &&
	       (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) ==
		       (MAP_PRIVATE | MAP_ANONYMOUS);
}

static bool is_reservation(int prot, int flags)
{
	return prot == PROT_NONE &&
	       (flags & (MAP_PRIVATE | MAP_ANONYMOUS)) ==
		       (MAP_PRIVATE | MAP_ANONYMOUS) &&
	       !(flags & (MAP_GROWSDOWN | MAP_STACK | MAP_HUGETLB));
}

/* an aligned mapping leaves a gap, and the kernel joins none across one */
static long map_aligned(size_t len, int prot, int flags)
{
	if (hp_record_has_many())
		return hp_linux_map(NULL, len, prot, flags, -1, 0);
	return hp_aligned_map(len, slot, prot, flags);
}

static long map_large(size_t len, int prot, int flags)
{
	long ret = map_aligned(len, prot, flags & ~MAP_POPULATE);

	if (hp_linux_failed(ret))
		return ret;
	hp_linux_advise((void *)ret, len, MADV_HUGEPAGE);
	(void)hp_record_set((uintptr_t)ret, (uintptr_t)ret + len,
			    HP_MAP_ADVISED);
	hp_sampling_map((uintptr_t)ret, len);
	hp_stats_count(HP_EVENT_MMAP_ALIGNED);
	/* best effort, as MAP_POPULATE is */
	if (flags & MAP_POPULATE)
		hp_linux_populate((void *)ret, len);
	return ret;
}

static void *map_small(size_t len)
{
	struct hp_span filled = {0};
	void *addr = hp_record_pack(len, &filled);

	if (!addr)
		return NULL;
	hp_sampling_map((uintptr_t)addr, len);
	hp_stats_count(HP_EVENT_MMAP_PACKED);
	hp_pack_collapse(&filled);
	return addr;
}

static bool is_packable(size_t len, int flags)
{
	return packs && len >= PACK_MIN && !(flags & MAP_POPULATE) &&
	       !HP_READ_ONCE(locked);
}

/* NULL: let the kernel place it */
static void *place(size_t len, int prot, int flags)
{
	long ret;

	if (len < slot)
		return is_packable(len, flags) ? map_small(len) : NULL;
	if (!hp_start_outgrown(&hp_heap_start, len) || hp_heap.keep ||
	    !hp_share_affords(&hp_heap_start, len))
		return NULL;
	ret = map_large(len, prot, flags);
	return hp_linux_failed(ret) ? NULL : (void *)ret;
}

static void follow_map(uintptr_t start, size_t len, int prot, int flags)
{
	uintptr_t end = start + hp_align_up(len, page);
	bool again = flags & MAP_FIXED && hp_record_covers(start, end);

	if (again && is_plain(NULL, prot, flags & ~(MAP_FIXED), 0)) {
		hp_reservation_renewed(start, end);
		return;
	}
	if (again && is_reservation(prot, flags)) {
		hp_reservation_reserved(start, end);
		return;
	}
	/* without MAP_FIXED too: a hint may lead where a mapping of ours was */
	hp_record_mapped(start, end);
	if (is_reservation(prot, flags) && len >= slot)
		(void)hp_record_set(start, end, HP_MAP_RESERVED);
}

#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

/* a thread's stack, and what the kernel keeps free below one */
#define STACK_ROOM (9 * HP_MIB)

/*
 * A library as large as this one is loaded at a boundary of 2 MiB, and above it
 * is a hole that is not there without it. A mapping put there could not grow.
 */
static long map_stack(size_t len, int prot, int flags, int fd, off_t offset)
{
	long ret = hp_linux_map(NULL, len + STACK_ROOM, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				0);
	void *top = (void *)(ret + (long)STACK_ROOM);

	if (hp_linux_failed(ret))
		return ret;
	hp_linux_unmap((void *)ret, len + STACK_ROOM);
	return hp_linux_map(top, len, prot, flags | MAP_FIXED_NOREPLACE, fd,
			    offset);
}

static long map_as_asked(void *addr, size_t len, int prot, int flags, int fd,
			 off_t offset)
{
	bool grows = flags & MAP_GROWSDOWN && !addr && len > 0 &&
		     len < SIZE_MAX / 2 &&
		     !(flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT));
	long ret = -ENOMEM;

	if (grows)
		ret = map_stack(hp_align_up(len, hp_linux_page_size()), prot,
				flags, fd, offset);
	if (hp_linux_failed(ret))
		ret = hp_linux_map(addr, len, prot, flags, fd, offset);
	if (flags & MAP_FIXED && hp_hugetlb_yields(ret, addr, len))
		ret = hp_linux_map(addr, len, prot, flags, fd, offset);
	return ret;
}

long hp_place_map(void *addr, size_t len, int prot, int flags, int fd,
		  off_t offset)
{
	bool plain = is_plain(addr, prot, flags, offset) && len > 0;
	long ret;

	if (plain && aligns && len < SIZE_MAX - slot - page) {
		void *placed;

		hp_stats_count(HP_EVENT_MMAP_SEEN);
		placed = place(hp_align_up(len, page), prot, flags);
		if (placed)
			return (long)placed;
		hp_stats_count(HP_EVENT_MMAP_PASSED);
	}
	ret = map_as_asked(addr, len, prot, flags, fd, offset);
	if (hp_linux_failed(ret))
		return ret;
	if (aligns)
		follow_map((uintptr_t)ret, len, prot, flags);
	else if (flags & MAP_FIXED && page)
		hp_record_mapped((uintptr_t)ret,
				 (uintptr_t)ret + hp_align_up(len, page));
	else if (forbids && plain && len >= slot && !hp_heap.keep)
		hp_linux_advise((void *)ret, len, MADV_NOHUGEPAGE);
	return ret;
}

void hp_place_unmapping(void *addr, size_t len)
{
	if (aligns && hp_record_near((uintptr_t)addr, (uintptr_t)addr + len))
		hp_outcome_falling(len);
}

long hp_place_unmap(void *addr, size_t len)
{
	long ret = hp_linux_unmap(addr, len);

	if (hp_hugetlb_yields(ret, addr, len))
		ret = hp_linux_unmap(addr, len);
	if (ret == 0 && page)
		hp_record_unmapped((uintptr_t)addr,
				   (uintptr_t)addr + hp_align_up(len, page));
	return ret;
}

/*
 * A move that failed may have unmapped its target before, and another thread
 * may have mapped something there. Better to lose address space than that.
 */
static void leave(void *target, size_t len)
{
	long ret = hp_linux_map(target, len, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
					MAP_FIXED_NOREPLACE,
				-1, 0);

	if (!hp_linux_failed(ret))
		hp_linux_unmap((void *)ret, len);
}

/*
 * A mapping that must move is moved to where its slots stay slots, so that
 * the kernel moves whole page-table entries and nothing is split.
 */
static long move_aligned(void *addr, size_t old_len, size_t new_len, int flags)
{
	long ret = hp_linux_remap(addr, old_len, new_len,
				  flags & ~MREMAP_MAYMOVE, NULL);
	long target;

	if (ret != -ENOMEM)
		return ret;
	target = map_aligned(new_len, PROT_NONE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
	if (hp_linux_failed(target))
		return ret;
	ret = hp_linux_remap(addr, old_len, new_len,
			     MREMAP_MAYMOVE | MREMAP_FIXED, (void *)target);
	if (hp_linux_failed(ret))
		leave((void *)target, new_len);
	else
		hp_linux_advise((void *)ret, new_len, MADV_HUGEPAGE);
	return ret;
}

static void follow_remap(uintptr_t old, size_t old_len, uintptr_t new,
			 size_t new_len, bool advised)
{
	if (new != old)
		hp_record_mapped(new, new + new_len);
	if (new != old)
		hp_record_unmapped(old, old + old_len);
	else if (new_len < old_len)
		hp_record_unmapped(old + new_len, old + old_len);
	else if (new_len > old_len)
		hp_record_mapped(old + old_len, old + new_len);
	if (!advised || new_len < slot)
		return;
	(void)hp_record_set(new, new + new_len, HP_MAP_ADVISED);
	hp_sampling_map(new, new_len);
}

/* our advice may have made two mappings of what was one to the program */
static bool join(void *addr, size_t len)
{
	return !hp_heap.keep && hp_linux_advise(addr, len, MADV_HUGEPAGE) == 0;
}

long hp_place_remap(void *addr, size_t old_len, size_t new_len, int flags,
		    void *new_addr)
{
	uintptr_t start = (uintptr_t)addr;
	bool ours = aligns && old_len > 0 &&
		    hp_record_in_hand(start, start + old_len);
	bool refused = ours && hp_record_refuses(start, start + old_len);
	bool grows =
		new_len > old_len && new_len >= slot && new_len < SIZE_MAX / 2;
	long ret = -ENOMEM;

	if (!hp_hugetlb_leaves(addr, old_len) ||
	    (flags & MREMAP_FIXED && !hp_hugetlb_leaves(new_addr, new_len)))
		return -EINVAL;
	if (ours && grows && !refused && flags == MREMAP_MAYMOVE &&
	    !hp_heap.keep)
		ret = move_aligned(addr, hp_align_up(old_len, page),
				   hp_align_up(new_len, page), flags);
	if (hp_linux_failed(ret))
		ret = hp_linux_remap(addr, old_len, new_len, flags, new_addr);
	if (ret == -EFAULT && ours && !refused &&
	    join(addr, hp_align_up(old_len, page)))
		ret = hp_linux_remap(addr, old_len, new_len, flags, new_addr);
	if (hp_linux_failed(ret) || !page)
		return ret;
	if (old_len == 0 || flags & MREMAP_DONTUNMAP)
		hp_record_mapped((uintptr_t)ret,
				 (uintptr_t)ret + hp_align_up(new_len, page));
	else
		follow_remap(start, hp_align_up(old_len, page), (uintptr_t)ret,
			     hp_align_up(new_len, page), ours);
	if (refused)
		hp_record_changed((uintptr_t)ret,
				  (uintptr_t)ret + hp_align_up(new_len, page),
				  false, HP_REASON_PROGRAM_ADVICE);
	return ret;
}

void hp_place_keep(void)
{
	hp_record_keep();
}

void hp_place_lock(bool locks)
{
	HP_WRITE_ONCE(locked, locks);
}
