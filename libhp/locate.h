/* SPDX-License-Identifier: MIT */
/*
 * locate.h - where a span of memory may begin, and address space for it there
 */
#ifndef HP_LOCATE_H
#define HP_LOCATE_H

#include <stddef.h>
#include <stdint.h>

#include "libhp/common.h"

/* begin at an address with (address - @residue) % @modulus == 0 */
struct hp_location {
	size_t len;
	size_t modulus; /* a power of two */
	size_t residue; /* less than the modulus */
};

/**
 * hp_locate_plan - a place for whole pages of one kind
 * @len:     bytes wanted
 * @granule: bytes of a page of this kind, a power of two; @out->len is such
 *           that the span ends on a multiple of it
 * @align:   of the start less @offset, a power of two; 0: the granule
 * @offset:  the start is congruent to it modulo granule and alignment
 *
 * Return: 0; -EINVAL len is 0, align no power of two, offset not on a base
 * page, or the sum does not fit.
 */
HP_MUST_CHECK int hp_locate_plan(struct hp_location *out, size_t len,
				 size_t granule, size_t align, size_t offset);

/* hp_locate_find - the first fitting address at or above @from; may wrap */
uintptr_t hp_locate_find(const struct hp_location *place, uintptr_t from);

/**
 * hp_locate_reserve - address space at a fitting address, without access rights
 * @wish: a larger modulus that would be good to have, or 0
 *
 * Return: the address; -errno of mmap(2).
 */
HP_MUST_CHECK long hp_locate_reserve(const struct hp_location *place,
				     size_t wish);

#endif
