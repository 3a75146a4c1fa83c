/* SPDX-License-Identifier: MIT */
#include "libhp/admit.h"

#include "libhp/linux.h"
#include "libhp/stats.h"

/*
 * Populated where the kernel puts it and only then moved into place: refused
 * in place, MAP_FIXED would leave a hole for somebody else's mapping. Moving
 * hugetlb mappings needs Linux 5.16; before, the pool is not used for slots.
 */
static int move_in(void *page, void *addr, size_t size)
{
	long ret = hp_linux_remap(page, size, size,
				  MREMAP_MAYMOVE | MREMAP_FIXED, addr);

	return hp_linux_failed(ret) ? (int)ret : 0;
}

static int populate(const struct hp_slots *s, void *page, size_t size)
{
	hp_slots_bind(s, page, size);
	return hp_linux_populate(page, size);
}

static int try_rung(const struct hp_slots *s, void *addr, size_t size,
		    enum hp_reason *reason)
{
	bool bound = s->options && s->options->numa == HP_NUMA_BIND;
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
		    (int)(hp_log2(size) << MAP_HUGE_SHIFT);
	long page =
		hp_linux_map(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	int ret;

	if (hp_linux_failed(page)) {
		*reason = hp_ladder_reason((int)-page, false, bound);
		return (int)page;
	}
	ret = populate(s, (void *)page, size);
	if (ret < 0)
		*reason = hp_ladder_reason(-ret, true, bound);
	else
		ret = move_in((void *)page, addr, size);
	if (ret < 0)
		hp_linux_unmap((void *)page, size);
	return ret;
}

bool hp_admit(const struct hp_slots *s, struct hp_ladder *ladder,
	      uintptr_t addr, size_t size, enum hp_reason *reason)
{
	for (unsigned int i = 0; i < ladder->n; i++) {
		if (!ladder->rungs[i].hugetlb)
			break; /* THP comes before what follows */
		if (ladder->rungs[i].size != size)
			continue;
		*reason = ladder->rungs[i].reason;
		if (!hp_ladder_pass(ladder, i))
			continue;
		*reason = HP_REASON_NONE;
		if (try_rung(s, (void *)addr, size, reason) == 0)
			return true;
		ladder->rungs[i].reason = *reason;
		hp_ladder_failed(ladder, i);
		hp_stats_count(HP_EVENT_FALLBACK);
	}
	return false;
}
