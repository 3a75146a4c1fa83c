/* SPDX-License-Identifier: MIT */
/*
 * span.h - the whole slots inside a range
 */
#ifndef HP_SPAN_H
#define HP_SPAN_H

#include <stddef.h>
#include <stdint.h>

#include "libhp/common.h"

struct hp_span {
	uintptr_t start; /* of the first */
	size_t size;	 /* of one */
	size_t n;
};

/**
 * hp_span_inside - naturally aligned slots of @size wholly inside a range
 *
 * Return: 0, also if there is none; -EINVAL the range wraps around.
 */
HP_MUST_CHECK int hp_span_inside(uintptr_t addr, size_t len, size_t size,
				 struct hp_span *out);

/**
 * hp_span_huge - how many of @span the kernel maps huge now
 *
 * Return: slots; -ENODATA when the kernel does not tell.
 */
long hp_span_huge(const struct hp_span *span);

#endif
