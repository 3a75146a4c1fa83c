/* SPDX-License-Identifier: MIT */
#include "preload/compare_watch.h"

#include <math.h>
#include <stdio.h>

#include "libhp/smaps.h"
#include "probe/clock.h"

enum { SHARE = 10 };

static void keep_largest(const struct hp_smaps *all, void *arg)
{
	struct hp_watch *watch = arg;
	uint64_t present = all->rss + all->hugetlb;

	if (present < watch->present)
		return;
	watch->present = present;
	watch->huge = all->thp + all->hugetlb;
}

void hp_watch_look(pid_t pid, void *arg)
{
	struct hp_watch *watch = arg;
	uint64_t began = hp_clock_ns(), ended;
	char path[48];

	if (began < watch->next_ns)
		return;
	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	/* it may be gone already, or not ours to look at: then unknown */
	hp_smaps_visit(path, keep_largest, watch);
	ended = hp_clock_ns();
	watch->next_ns = ended + SHARE * (ended - began);
}

double hp_watch_coverage(const struct hp_watch *watch)
{
	if (!watch->present)
		return NAN;
	return (double)watch->huge / (double)watch->present;
}
