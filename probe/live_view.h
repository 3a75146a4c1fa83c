/* SPDX-License-Identifier: MIT */
/*
 * live_view.h - the present pages of managed memory, as one stretch
 *
 * A position counts bytes of present, readable memory from its start; holes do
 * not count. Positions become addresses by walking the page tables once more,
 * so nothing has to be stored about them. The gate (libhp/gate.h) must be shut
 * from that walk on as long as the addresses are used.
 */
#ifndef HP_LIVE_VIEW_H
#define HP_LIVE_VIEW_H

#include "libhp/backing.h"
#include "libhp/common.h"
#include "libhp/stats.h"

struct hp_live_view {
	/* which memory: calls @fn for every range of it */
	void (*ranges)(const struct hp_live_view *view, hp_range_fn fn,
		       void *arg);
	uint64_t start, end; /* for @ranges */
	struct hp_backing_view backing;
	size_t page;
	uint64_t bytes, huge_bytes;    /* as last counted */
	uint64_t run_start, run_bytes; /* longest stretch without a hole */
	int err;
};

/**
 * hp_live_view_open - get ready to look at memory
 * @view: with @ranges, @start and @end set
 *
 * Return: 0; -errno when page tables or mappings cannot be read.
 */
int hp_live_view_open(struct hp_live_view *view) HP_MUST_CHECK;
void hp_live_view_close(struct hp_live_view *view);

/* hp_live_view_count - bytes, huge_bytes and the longest run anew */
int hp_live_view_count(struct hp_live_view *view) HP_MUST_CHECK;

/**
 * hp_live_view_resolve - positions -> addresses
 * @position: ascending
 * @address:  receives the addresses
 * @n:        of both
 *
 * Return: how many lie within what is present now; -errno.
 */
long hp_live_view_resolve(struct hp_live_view *view, const uint64_t *position,
			  uint64_t *address, size_t n);

#endif
