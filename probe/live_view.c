/* SPDX-License-Identifier: MIT */
#include "probe/live_view.h"

#include "libhp/common.h"
#include "libhp/linux.h"

struct visit {
	struct hp_live_view *view;
	hp_extent_fn fn;
	void *arg;
	bool asked; /* whether this mapping can be read at all */
	bool readable;
};

int hp_live_view_open(struct hp_live_view *view)
{
	view->page = hp_linux_page_size();
	return hp_backing_open(&view->backing);
}

void hp_live_view_close(struct hp_live_view *view)
{
	hp_backing_close(&view->backing);
}

/*
 * A page can be present and yet not ours to read: PROT_NONE, a protection key.
 * Populating what is present changes nothing, and fails where a load would.
 */
static bool can_read(const struct hp_live_view *view, uint64_t addr)
{
	return hp_linux_advise((void *)(uintptr_t)addr, view->page,
			       MADV_POPULATE_READ) == 0;
}

static void take_extent(const struct hp_extent *extent, void *arg)
{
	struct visit *visit = arg;

	if (!visit->asked) {
		visit->asked = true;
		visit->readable = can_read(visit->view, extent->start);
	}
	if (visit->readable)
		visit->fn(extent, visit->arg);
}

static int take_mappings(struct visit *visit, uint64_t start, uint64_t end)
{
	struct hp_live_view *view = visit->view;

	while (start < end) {
		struct hp_mapping m;
		int err = hp_backing_mapping(&view->backing, start, &m);

		if (err == -ENOENT || (!err && m.start >= end))
			return 0;
		if (err)
			return err;
		visit->asked = false;
		err = hp_backing_scan(&view->backing, hp_max(start, m.start),
				      hp_min(end, m.end), take_extent, visit);
		if (err)
			return err;
		start = m.end;
	}
	return 0;
}

static void take_range(const struct hp_range *range, void *arg)
{
	struct visit *visit = arg;
	struct hp_live_view *view = visit->view;

	/* Edges inside a page belong to somebody else, too. */
	if (!view->err)
		view->err = take_mappings(
			visit, hp_align_up(range->start, view->page),
			hp_align_down(range->end, view->page));
}

static int visit_all(struct hp_live_view *view, hp_extent_fn fn, void *arg)
{
	struct visit visit = {.view = view, .fn = fn, .arg = arg};

	/* what was readable when the gate was last shut may be no more */
	view->err = hp_backing_refresh(&view->backing);
	if (!view->err)
		view->ranges(view, take_range, &visit);
	return view->err;
}

struct count {
	struct hp_live_view *view;
	uint64_t run_start, run_end;
};

static void count_extent(const struct hp_extent *extent, void *arg)
{
	struct count *count = arg;
	struct hp_live_view *view = count->view;

	view->bytes += extent->end - extent->start;
	if (extent->huge)
		view->huge_bytes += extent->end - extent->start;
	if (extent->start != count->run_end)
		count->run_start = extent->start;
	count->run_end = extent->end;
	if (count->run_end - count->run_start > view->run_bytes) {
		view->run_start = count->run_start;
		view->run_bytes = count->run_end - count->run_start;
	}
}

int hp_live_view_count(struct hp_live_view *view)
{
	struct count count = {.view = view};

	view->bytes = view->huge_bytes = view->run_bytes = 0;
	return visit_all(view, count_extent, &count);
}

struct resolve {
	const uint64_t *position;
	uint64_t *address;
	size_t n, next;
	uint64_t passed; /* bytes before the extent at hand */
};

static void resolve_extent(const struct hp_extent *extent, void *arg)
{
	struct resolve *resolve = arg;
	uint64_t start = resolve->passed;

	resolve->passed += extent->end - extent->start;
	while (resolve->next < resolve->n &&
	       resolve->position[resolve->next] < resolve->passed) {
		uint64_t in = resolve->position[resolve->next] - start;

		resolve->address[resolve->next++] = extent->start + in;
	}
}

long hp_live_view_resolve(struct hp_live_view *view, const uint64_t *position,
			  uint64_t *address, size_t n)
{
	struct resolve resolve = {position, address, n, 0, 0};
	int err = visit_all(view, resolve_extent, &resolve);

	return err ? err : (long)resolve.next;
}
