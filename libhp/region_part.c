/* SPDX-License-Identifier: MIT */
/*
 * region_part.c - what is done to a stretch of memory, whatever the region
 */
#include <linux/mempolicy.h>

#include "libhp/linux.h"
#include "libhp/pagesize.h"
#include "libhp/prefault.h"
#include "libhp/region.h"
#include "libhp/span.h"

static bool only_node_zero(const struct hp_region_want *want)
{
	for (size_t i = 1; i < want->nnodes; i++)
		if (want->nodes[i])
			return false;
	return want->nnodes > 0 && want->nodes[0] == 1;
}

int hp_region_bind(const struct hp_region_ask *ask, char *addr, size_t len)
{
	const struct hp_region_want *want = &ask->want;
	int ret;

	if (!want->nodes)
		return 0;
	/* one bit more than there is: the kernel takes one off (get_nodes) */
	ret = hp_linux_bind(addr, len, MPOL_BIND,
			    (const unsigned long *)want->nodes,
			    want->nnodes * 64 + 1, 0);
	/* a kernel without NUMA has node 0 and nothing else */
	return ret == -ENOSYS && only_node_zero(want) ? 0 : ret;
}

struct relay {
	const struct hp_region_ask *ask;
	size_t offset;
};

/* parts are populated twice, once before they are in place; count them once */
static void relay_progress(size_t done, size_t total, void *arg)
{
	const struct relay *relay = arg;
	const struct hp_region_want *want = &relay->ask->want;
	struct hp_region_progress *told = relay->ask->progress;

	(void)total;
	if (relay->offset + done <= told->done)
		return;
	told->done = relay->offset + done;
	want->progress(told->done, told->total, want->progress_arg);
}

int hp_region_touch(const struct hp_region_ask *ask,
		    const struct hp_region_part *part)
{
	struct relay relay = {ask, part->offset};
	struct hp_prefault job = {
		.addr = part->addr,
		.len = part->len,
		.page = part->page,
		.pool = part->pool,
		.threads = 1,
	};

	if (ask->populate) {
		job.threads = ask->want.threads;
		job.progress = ask->want.progress ? relay_progress : NULL;
		job.arg = &relay;
	}
	return hp_prefault(&job);
}

enum hp_reason hp_region_advise(char *addr, size_t len)
{
	struct hp_pagesizes ps;
	struct hp_span whole;

	hp_pagesizes_read_thp(&ps);
	if (hp_span_inside((uintptr_t)addr, len, ps.pmd, &whole) ||
	    whole.n == 0)
		return HP_REASON_UNALIGNED;
	if (hp_linux_advise((void *)whole.start, whole.n * whole.size,
			    MADV_HUGEPAGE))
		return HP_REASON_SYSFS_NEVER; /* a kernel built without */
	return hp_pagesizes_thp_reason(&ps);
}

size_t hp_region_pages_left(size_t size)
{
	struct hp_pool pool = {.size = size};
	uint64_t left;

	if (hp_pool_read(&pool) || pool.free == HP_UNKNOWN)
		return SIZE_MAX;
	left = pool.free;
	if (pool.reserved != HP_UNKNOWN)
		left -= pool.reserved < left ? pool.reserved : left;
	if (pool.overcommit != HP_UNKNOWN && pool.surplus < pool.overcommit)
		left += pool.overcommit - pool.surplus;
	return left;
}
