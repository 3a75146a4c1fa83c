/* SPDX-License-Identifier: MIT */
/*
 * region_shared.c - a region that is one memfd, of one kind of page
 *
 * A rung is had for all of it or not at all: then the next gets a file of its
 * own. MAP_NORESERVE keeps mmap(MAP_FIXED) from failing after it has unmapped;
 * populating says whether the pages are there, and pages of a shared file
 * are never copied on write, so no reservation is missed later.
 */
#include <string.h>
#include <sys/mman.h>

#include "libhp/ladder.h"
#include "libhp/linux.h"
#include "libhp/region.h"
#include "libhp/stats.h"
#include "libhp/textfile.h"

#define SHMEM_ENABLED "/sys/kernel/mm/transparent_hugepage/shmem_enabled"

#ifndef MFD_HUGE_SHIFT
#define MFD_HUGE_SHIFT 26
#endif

/* one attempt; the file and the address space it owns so far */
struct attempt {
	const struct hp_region_ask *ask;
	size_t size; /* of a hugetlb page; 0: of the page cache */
	struct hp_location place;
	int fd;
	char *addr;
};

static int make_file(size_t size, size_t len)
{
	unsigned int flags = MFD_CLOEXEC;
	int fd, ret;

	if (size)
		flags |= MFD_HUGETLB | hp_log2(size) << MFD_HUGE_SHIFT;
	fd = hp_linux_memfd("libhp", flags);
	if (fd < 0)
		return fd;
	ret = hp_linux_truncate(fd, (off_t)len);
	if (ret) {
		hp_linux_close(fd);
		return ret;
	}
	return fd;
}

static int map_file(struct attempt *a)
{
	long at =
		hp_linux_map(a->addr, a->place.len, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_FIXED | MAP_NORESERVE, a->fd, 0);
	int ret;

	if (hp_linux_failed(at))
		return (int)at;
	ret = hp_region_bind(a->ask, a->addr, a->place.len);
	if (ret || a->size == 0)
		return ret;
	return hp_region_touch(a->ask,
			       &(struct hp_region_part){a->addr, a->place.len,
							0, a->size, true});
}

static int try_map(struct attempt *a)
{
	long at = hp_locate_reserve(&a->place, 0);
	int ret;

	if (hp_linux_failed(at))
		return (int)at;
	a->addr = (char *)at;
	a->ask->progress->total = a->place.len;
	ret = map_file(a);
	if (ret)
		hp_linux_unmap(a->addr, a->place.len);
	return ret;
}

static int try_size(struct attempt *a)
{
	const struct hp_region_want *want = &a->ask->want;
	int ret = hp_locate_plan(&a->place, a->ask->len,
				 hp_max(a->size, hp_slot_size()), want->align,
				 want->offset);

	if (ret)
		return ret;
	if (a->size && !hp_is_aligned(a->place.residue, a->size))
		return -EINVAL;
	/* rather than to take all there is and then find it too little */
	if (a->size && hp_region_pages_left(a->size) < a->place.len / a->size)
		return -ENOSPC;
	a->fd = make_file(a->size, a->place.len);
	if (a->fd < 0)
		return a->fd;
	ret = try_map(a);
	if (ret)
		hp_linux_close(a->fd);
	return ret;
}

static enum hp_reason reason_of(const struct attempt *a, int err)
{
	if (err == -EINVAL)
		return HP_REASON_UNALIGNED;
	/* ENODEV: memfd_create(2), there is no pool of this size */
	if (err == -ENOSPC || err == -ENODEV)
		return HP_REASON_POOL_EMPTY;
	return hp_ladder_reason(err, true, a->ask->want.nodes);
}

static int finish(struct attempt *a, struct hp_region **out,
		  enum hp_reason reason)
{
	struct hp_region *r = hp_region_new(a->addr, a->place.len, a->fd);
	const char *end = a->addr + a->place.len;

	if (!r) {
		hp_linux_unmap(a->addr, a->place.len);
		hp_linux_close(a->fd);
		return -ENOMEM;
	}
	if (a->size)
		hp_region_mark_pool(r, a->addr, end);
	else
		hp_region_mark(r, a->addr, end, reason);
	*out = r;
	return 0;
}

/* shmem has a switch of its own, and most systems leave it off */
static enum hp_reason advise_shmem(const struct attempt *a)
{
	char mode[16];
	enum hp_reason reason = hp_region_advise(a->addr, a->place.len);

	if (reason == HP_REASON_NONE &&
	    !hp_textfile_choice(SHMEM_ENABLED, mode, sizeof(mode)) &&
	    (!strcmp(mode, "never") || !strcmp(mode, "deny")))
		reason = HP_REASON_SYSFS_NEVER;
	return reason;
}

/* ends with a region of page cache, advised if thp is among the rungs */
static int try_plain(struct attempt *a, struct hp_region **out, bool thp,
		     enum hp_reason reason)
{
	int ret;

	a->size = 0;
	ret = try_size(a);
	if (ret)
		return ret == -EINVAL ? ret : -ENOMEM;
	if (thp) {
		enum hp_reason refused = advise_shmem(a);

		reason = reason != HP_REASON_NONE ? reason : refused;
	}
	return finish(a, out, reason);
}

int hp_region_shared(struct hp_region **out, const struct hp_region_ask *ask)
{
	struct attempt a = {.ask = ask};
	enum hp_reason reason = HP_REASON_NONE;
	size_t slot = hp_slot_size();

	for (unsigned int i = 0; i < ask->nrungs; i++) {
		int ret;

		a.size = ask->rungs[i];
		if (a.size == HP_THP)
			return try_plain(&a, out, true, reason);
		if (!ask->strict && a.size > hp_align_up(ask->len, slot))
			continue; /* would round up to more than was asked */
		ret = try_size(&a);
		if (ret == 0)
			return finish(&a, out, HP_REASON_NONE);
		hp_stats_count(HP_EVENT_FALLBACK);
		if (reason == HP_REASON_NONE)
			reason = reason_of(&a, ret);
	}
	return ask->strict ? -ENOMEM : try_plain(&a, out, false, reason);
}
