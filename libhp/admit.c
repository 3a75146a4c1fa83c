/* SPDX-License-Identifier: MIT */
#include "libhp/admit.h"

#include "libhp/linux.h"
#include "libhp/stats.h"

static int map_pool(const struct hp_slots *s, void *addr, size_t size)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB |
		    (int)(hp_log2(size) << MAP_HUGE_SHIFT);
	long ret = hp_linux_map(addr, size, PROT_READ | PROT_WRITE, flags, -1,
				0);

	if (hp_linux_failed(ret))
		return (int)ret;
	hp_slots_bind(s, addr, size);
	return 0;
}

/*
 * MAP_FIXED unmaps first, so a refusal may leave a hole; on the kernels where
 * it leaves the old mapping this only maps it anew.
 */
static void map_back(const struct hp_slots *s, void *addr, size_t size)
{
	hp_linux_map(addr, size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (s->advice)
		hp_linux_advise(addr, size, s->advice);
	hp_slots_bind(s, addr, size);
}

static int try_rung(const struct hp_slots *s, void *addr, size_t size,
		    enum hp_reason *reason)
{
	bool bound = s->options && s->options->numa == HP_NUMA_BIND;
	int ret = map_pool(s, addr, size);

	if (ret < 0) {
		*reason = hp_ladder_reason(-ret, false, bound);
		return ret;
	}
	ret = hp_linux_populate(addr, size);
	if (ret < 0)
		*reason = hp_ladder_reason(-ret, true, bound);
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
		if (!hp_ladder_pass(ladder, i))
			continue;
		if (try_rung(s, (void *)addr, size, reason) == 0)
			return true;
		map_back(s, (void *)addr, size);
		hp_ladder_failed(ladder, i);
		hp_stats_count(HP_EVENT_FALLBACK);
	}
	return false;
}
