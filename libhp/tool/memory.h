/* SPDX-License-Identifier: MIT */
/*
 * memory.h - another process' memory, mapping by mapping and slot by slot
 *
 * /proc/PID/smaps says which mappings there are, pagemap what of each is
 * present and huge. The process runs on meanwhile: what is told was true when
 * the kernel was asked.
 */
#ifndef HP_MEMORY_H
#define HP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "libhp/smaps.h"

/**
 * struct hp_stretch - one slot of a mapping, or many with nothing present
 *
 * Cut to the mapping, so the first and the last of one may be smaller.
 */
struct hp_stretch {
	uint64_t start, end;
	uint64_t present, huge; /* bytes; the zero page counts in neither */
	/* present, but whether huge was not told: @huge is 0 then, or for a
	 * whole mapping what smaps says */
	bool unknown;
};

typedef void (*hp_stretch_fn)(const struct hp_smaps *mapping,
			      const struct hp_stretch *stretch, void *arg);

/**
 * hp_memory_walk - call @fn for all memory of @pid, ascending
 * @slot: bytes of one
 *
 * Without pagemap a mapping is one unknown stretch. Return: 0; what
 * opening or reading smaps said.
 */
int hp_memory_walk(pid_t pid, uint64_t slot, hp_stretch_fn fn, void *arg);

#endif
