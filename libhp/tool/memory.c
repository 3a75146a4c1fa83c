/* SPDX-License-Identifier: MIT */
#include "libhp/tool/memory.h"

#include <fcntl.h>

#include "libhp/backing.h"
#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/tool/target.h"

struct walk {
	uint64_t slot;
	struct hp_backing_view
		view; /* of the other process; pagemap or -errno */
	hp_stretch_fn fn;
	void *arg;
	const struct hp_smaps *mapping;
	uint64_t told;	       /* everything of the mapping below it was */
	struct hp_stretch now; /* the slot being added up, or empty */
};

static void tell(struct walk *w, const struct hp_stretch *stretch)
{
	w->fn(w->mapping, stretch, w->arg);
	w->told = stretch->end;
}

static void tell_now(struct walk *w)
{
	if (w->now.end > w->now.start)
		tell(w, &w->now);
	w->now = (struct hp_stretch){0};
}

/* a stretch with nothing in it, up to @end */
static void tell_absent(struct walk *w, uint64_t end)
{
	struct hp_stretch hole = {.start = w->told, .end = end};

	if (w->told < end)
		tell(w, &hole);
}

static void enter_slot(struct walk *w, uint64_t addr)
{
	uint64_t slot = hp_align_down(addr, w->slot);
	uint64_t start = hp_max(slot, w->mapping->start);

	if (w->now.end > w->now.start && w->now.start == start)
		return;
	tell_now(w);
	tell_absent(w, start);
	w->now.start = start;
	w->now.end = hp_min(slot + w->slot, w->mapping->end);
}

static void add_extent(const struct hp_extent *e, void *arg)
{
	struct walk *w = arg;

	for (uint64_t at = e->start, piece; at < e->end; at += piece) {
		enter_slot(w, at);
		piece = hp_min(e->end, w->now.end) - at;
		w->now.present += piece;
		if (e->huge)
			w->now.huge += piece;
		w->now.unknown = w->now.unknown || e->unsure;
	}
}

static void tell_unknown(struct walk *w)
{
	tell(w, &(struct hp_stretch){
			.start = w->mapping->start,
			.end = w->mapping->end,
			.present = w->mapping->rss + w->mapping->hugetlb,
			.huge = w->mapping->thp + w->mapping->hugetlb,
			.unknown = true,
		});
}

static int visit_mapping(struct walk *w)
{
	const struct hp_smaps *s = w->mapping;
	struct hp_pagemap m = {.start = s->start,
			       .end = s->end,
			       .rss = s->rss,
			       .thp = s->thp,
			       .hugetlb = s->is_hugetlb,
			       .anonymous = !s->file && !s->shared};

	if (w->view.pagemap < 0)
		return w->view.pagemap;
	if (w->view.scans)
		return hp_backing_scan(&w->view, s->start, s->end, add_extent,
				       w);
	return hp_pagemap_visit(w->view.pagemap, &m, s->start, s->end,
				add_extent, w);
}

/* a walk that fails half-way leaves the rest untold, which is not known */
static void walk_mapping(const struct hp_smaps *mapping, void *arg)
{
	struct walk *w = arg;

	w->mapping = mapping;
	w->told = mapping->start;
	w->now = (struct hp_stretch){0};
	if (visit_mapping(w) < 0) {
		if (w->told == mapping->start)
			tell_unknown(w);
		return;
	}
	tell_now(w);
	tell_absent(w, mapping->end);
}

int hp_memory_walk(pid_t pid, uint64_t slot, hp_stretch_fn fn, void *arg)
{
	struct walk w = {.slot = slot, .fn = fn, .arg = arg};
	char path[HP_TARGET_PATH];
	int ret;

	w.view.pagemap = hp_linux_open(hp_target_path(pid, "pagemap", path),
				       O_RDONLY, 0);
	if (w.view.pagemap >= 0)
		w.view.scans = hp_backing_can_scan(w.view.pagemap);
	ret = hp_smaps_visit(hp_target_path(pid, "smaps", path), walk_mapping,
			     &w);
	if (w.view.pagemap >= 0)
		hp_linux_close(w.view.pagemap);
	return ret;
}
