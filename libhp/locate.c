/* SPDX-License-Identifier: MIT */
#include "libhp/locate.h"

#include "libhp/linux.h"

int hp_locate_plan(struct hp_location *out, size_t len, size_t granule,
		   size_t align, size_t offset)
{
	size_t head = offset & (granule - 1), end;

	if (align == 0)
		align = granule;
	if (len == 0 || !hp_is_pow2(align) ||
	    !hp_is_aligned(offset, hp_linux_page_size()))
		return -EINVAL;
	if (__builtin_add_overflow(head, len, &end) ||
	    end > (size_t)PTRDIFF_MAX - granule)
		return -EINVAL;
	out->len = hp_align_up(end, granule) - head;
	out->modulus = hp_max(align, granule);
	out->residue = offset & (out->modulus - 1);
	return 0;
}

uintptr_t hp_locate_find(const struct hp_location *place, uintptr_t from)
{
	return from + ((place->residue - from) & (place->modulus - 1));
}

/* over-map, then cut off what lies before and behind */
static long reserve(const struct hp_location *place)
{
	size_t all;
	uintptr_t start, end;
	long raw;

	if (__builtin_add_overflow(place->len, place->modulus, &all))
		return -ENOMEM;
	raw = hp_linux_map(NULL, all, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (hp_linux_failed(raw))
		return raw;
	start = hp_locate_find(place, (uintptr_t)raw);
	end = start + place->len;
	if (start > (uintptr_t)raw)
		hp_linux_unmap((void *)raw, start - (uintptr_t)raw);
	if (end < (uintptr_t)raw + all)
		hp_linux_unmap((void *)end, (uintptr_t)raw + all - end);
	return (long)start;
}

long hp_locate_reserve(const struct hp_location *place, size_t wish)
{
	struct hp_location wished = *place;
	long at;

	if (wish <= place->modulus)
		return reserve(place);
	/* residue keeps its value: congruent modulo more is so modulo less */
	wished.modulus = wish;
	at = reserve(&wished);
	return hp_linux_failed(at) ? reserve(place) : at;
}
