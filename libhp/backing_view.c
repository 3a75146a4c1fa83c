/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "libhp/backing.h"
#include "libhp/common.h"
#include "libhp/linux.h"

/* thread-self, as self is empty once the first thread has left */
static int open_own(const char *path)
{
	return hp_linux_open(path, O_RDONLY, 0);
}

bool hp_backing_can_scan(int pagemap)
{
	static const struct hp_scan_want present = {.all = HP_SCAN_PRESENT};
	size_t page = hp_linux_page_size();
	struct hp_scan_range range = {0};
	uint64_t walked, at = hp_align_down((uintptr_t)&range, page);

	return hp_linux_scan(pagemap, at, at + page, &present, &range, 1,
			     &walked) >= 0;
}

/* the list of mappings, read when it is first asked for */
static int need_list(struct hp_backing_view *view)
{
	if (!view->listed)
		view->list_err = hp_mappings_read(&view->mappings);
	view->listed = true;
	return view->list_err;
}

int hp_backing_refresh(struct hp_backing_view *view)
{
	hp_mappings_forget(&view->mappings);
	view->listed = false;
	return view->scans ? 0 : need_list(view);
}

int hp_backing_open(struct hp_backing_view *view)
{
	int ret;

	*view = (struct hp_backing_view){
		.pagemap = open_own("/proc/thread-self/pagemap"),
	};
	if (view->pagemap < 0)
		return view->pagemap;
	view->maps = open_own("/proc/thread-self/maps");
	view->scans = hp_backing_can_scan(view->pagemap);
	ret = hp_backing_refresh(view);
	if (ret < 0)
		hp_backing_close(view);
	return ret;
}

void hp_backing_close(struct hp_backing_view *view)
{
	hp_mappings_forget(&view->mappings);
	hp_linux_close(view->pagemap);
	if (view->maps >= 0)
		hp_linux_close(view->maps);
}

static int look_up(struct hp_backing_view *view, uint64_t addr,
		   struct hp_mapping *out)
{
	const struct hp_pagemap *m;
	int ret = need_list(view);

	if (ret < 0)
		return ret;
	m = hp_mappings_at(&view->mappings, addr);
	if (!m)
		return -ENOENT;
	*out = (struct hp_mapping){m->start, m->end, m->hugetlb, false};
	return 0;
}

int hp_backing_mapping(struct hp_backing_view *view, uint64_t addr,
		       struct hp_mapping *out)
{
	struct hp_vma vma;
	int ret = view->maps;

	if (ret >= 0)
		ret = hp_linux_vma(view->maps, addr, &vma);
	if (ret == -ENOENT)
		return ret;
	if (ret < 0)
		return look_up(view, addr, out);
	*out = (struct hp_mapping){
		.start = vma.start,
		.end = vma.end,
		.hugetlb = vma.page_size > hp_linux_page_size(),
		.plain = vma.writable && !vma.file,
	};
	return 0;
}

int hp_backing_hugetlb(uint64_t start, uint64_t end, uint64_t *out)
{
	struct hp_backing_view view;
	struct hp_mapping m = {.end = start};
	uint64_t bytes = 0;
	int ret = hp_backing_open(&view);

	if (ret < 0)
		return ret;
	while (!(ret = hp_backing_mapping(&view, m.end, &m)) && m.start < end)
		if (m.hugetlb)
			bytes += hp_min(m.end, end) - hp_max(m.start, start);
	hp_backing_close(&view);
	if (ret < 0 && ret != -ENOENT)
		return ret;
	*out = bytes;
	return 0;
}
