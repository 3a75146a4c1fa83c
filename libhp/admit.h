/* SPDX-License-Identifier: MIT */
/*
 * admit.h - put a hugetlb page under a slot, or leave it as it was
 */
#ifndef HP_ADMIT_H
#define HP_ADMIT_H

#include "libhp/ladder.h"
#include "libhp/slot.h"

/**
 * hp_admit - try the hugetlb rungs of @size for mapped, unused memory
 * @addr: aligned to @size; nobody may be using any of it
 * @size: bytes; a rung is tried only if its page has this size
 * @reason: receives why not, if not
 *
 * The pages are populated before this returns true, so a touch cannot raise
 * SIGBUS. If the pool or a cgroup refuses, the range is as it was.
 */
bool hp_admit(const struct hp_slots *s, struct hp_ladder *ladder,
	      uintptr_t addr, size_t size, enum hp_reason *reason);

#endif
