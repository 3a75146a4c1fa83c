/* SPDX-License-Identifier: MIT */
/*
 * guest.c - what KVM can map for a guest with one stage-2 entry
 *
 * virt/kvm and arch/<arch>/kvm: a block needs user and guest address congruent
 * modulo its size, the whole of it inside the memory slot, and a host mapping
 * of that size at the moment of the guest's fault.
 */
#include "libhp/common.h"
#include "libhp/hp.h"
#include "libhp/span.h"

HP_EXPORT long hp_guest_blocks(const void *hva, uint64_t gpa, size_t len)
{
	size_t size = hp_slot_size();
	struct hp_span inner;
	uint64_t end;
	long huge;

	if (hp_span_inside((uintptr_t)hva, len, size, &inner) ||
	    __builtin_add_overflow(gpa, len, &end))
		return -EINVAL;
	if (!hp_is_aligned((uintptr_t)hva - gpa, size))
		return 0;
	huge = hp_span_huge(&inner);
	return huge < 0 ? -ENODATA : huge;
}
