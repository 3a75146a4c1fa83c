/* SPDX-License-Identifier: MIT */
#include "probe/live.h"

#include "libhp/common.h"
#include "probe/pin.h"

void hp_live_managed(const struct hp_live_view *view, hp_range_fn fn, void *arg)
{
	(void)view;
	hp_stats_ranges(fn, arg);
}

/* The part of managed memory that lies between view->start and view->end. */
struct clip {
	const struct hp_live_view *view;
	hp_range_fn fn;
	void *arg;
};

static void clip_range(const struct hp_range *range, void *arg)
{
	const struct clip *clip = arg;
	struct hp_range cut = *range;

	cut.start = hp_max(range->start, clip->view->start);
	cut.end = hp_min(range->end, clip->view->end);
	if (cut.start < cut.end)
		clip->fn(&cut, clip->arg);
}

static void clipped(const struct hp_live_view *view, hp_range_fn fn, void *arg)
{
	struct clip clip = {view, fn, arg};

	hp_stats_ranges(clip_range, &clip);
}

static void add_bytes(const struct hp_range *range, void *arg)
{
	*(uint64_t *)arg += range->end - range->start;
}

static bool all_managed(const struct hp_live_view *view)
{
	uint64_t managed = 0;

	clipped(view, add_bytes, &managed);
	return managed == view->end - view->start;
}

HP_EXPORT int hp_probe_live(const void *addr, size_t len,
			    const struct hp_probe_options *options,
			    struct hp_probe_live *out)
{
	struct hp_probe_options all;
	struct hp_live_want want = {.view.ranges = hp_live_managed};
	struct hp_pin pin;

	hp_probe_options_init(&all);
	if (options)
		all = *options;
	if (addr) {
		want.view.ranges = clipped;
		want.view.start = (uintptr_t)addr;
		if (__builtin_add_overflow((uintptr_t)addr, len,
					   &want.view.end))
			return -EINVAL;
		if (!len || !all_managed(&want.view))
			return -EPERM;
	}
	want.seed = all.seed;
	want.stop = all.stop;
	hp_pin_open(&pin, all.cpu);
	hp_live_measure(&want, out);
	hp_pin_close(&pin);
	return 0;
}
