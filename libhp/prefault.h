/* SPDX-License-Identifier: MIT */
/*
 * prefault.h - touch memory ahead of use, with several threads
 */
#ifndef HP_PREFAULT_H
#define HP_PREFAULT_H

#include <stdbool.h>
#include <stddef.h>

#include "libhp/common.h"

struct hp_prefault {
	char *addr;
	size_t len;
	size_t page;	      /* bytes of a page of this kind */
	bool pool;	      /* hugetlb: never touched where that may kill */
	unsigned int threads; /* 0: as many as CPUs */
	/* called by the calling thread alone, last with @done == @total */
	void (*progress)(size_t done, size_t total, void *arg);
	void *arg;
};

/**
 * hp_prefault - make every page of a range present and writable
 *
 * Content is not changed. Threads other than the caller's block all signals
 * and are gone when this returns; fewer than asked for will do.
 *
 * Return: 0; -errno of the first page that could not be had, in which case
 * some of the others are present.
 */
HP_MUST_CHECK int hp_prefault(const struct hp_prefault *job);

#endif
