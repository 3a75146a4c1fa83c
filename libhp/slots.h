/* SPDX-License-Identifier: MIT */
/*
 * slots.h - the whole slots inside a range
 */
#ifndef HP_SLOTS_H
#define HP_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "libhp/common.h"

struct hp_slots {
	uintptr_t start; /* of the first */
	size_t size;	 /* of one */
	size_t n;
};

/**
 * hp_slots_inside - naturally aligned slots of @size wholly inside a range
 *
 * Return: 0, also if there is none; -EINVAL the range wraps around.
 */
HP_MUST_CHECK int hp_slots_inside(uintptr_t addr, size_t len, size_t size,
				  struct hp_slots *out);

/**
 * hp_slots_huge - how many of @slots the kernel maps huge now
 *
 * Return: slots; -errno when PAGEMAP_SCAN cannot be asked.
 */
long hp_slots_huge(const struct hp_slots *slots);

#endif
