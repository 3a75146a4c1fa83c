/* SPDX-License-Identifier: MIT */
/*
 * buffer_mthp.h - memory in multi-size transparent huge pages of one size
 *
 * The kernel gives a fault the largest enabled folio for which every entry of
 * the aligned range is still empty, and it tells nobody but root what it gave.
 * So larger sizes are ruled out by planting small pages, and what was given is
 * read from the system-wide counters of the size, /sys/kernel/mm/
 * transparent_hugepage/hugepages-<n>kB/stats, before and after. Others using
 * the same size at the same moment may inflate them.
 */
#ifndef HP_BUFFER_MTHP_H
#define HP_BUFFER_MTHP_H

#include "probe/buffer.h"

/**
 * hp_mthp_check - does the kernel offer this size now?
 *
 * Return: 0; -ENOENT with words in @why.
 */
int hp_mthp_check(const struct hp_pagesizes *sizes, size_t size, char *why,
		  size_t why_size) HP_MUST_CHECK;

/* hp_mthp_populate - touch every page; counts what was given; 0 or -errno */
int hp_mthp_populate(struct hp_buffer *buffer) HP_MUST_CHECK;

/* hp_mthp_holds - were enough pages given, and none of the size split since? */
bool hp_mthp_holds(const struct hp_buffer *buffer);

#endif
