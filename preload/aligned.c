/* SPDX-License-Identifier: MIT */
#include "preload/aligned.h"

#include "libhp/common.h"
#include "libhp/linux.h"

/* more than is needed, then the ends cut off */
static long map_trimmed(size_t len, size_t slot, int prot, int flags)
{
	long ret = hp_linux_map(NULL, len + slot, prot, flags, -1, 0);
	uintptr_t start, end;

	if (hp_linux_failed(ret))
		return ret;
	start = hp_align_up((uintptr_t)ret, slot);
	end = (uintptr_t)ret + len + slot;
	if (start > (uintptr_t)ret)
		hp_linux_unmap((void *)ret, start - (uintptr_t)ret);
	if (end > start + len)
		hp_linux_unmap((void *)(start + len), end - (start + len));
	return (long)start;
}

/* newer kernels align such mappings themselves: ask for no more than needed */
long hp_aligned_map(size_t len, size_t slot, int prot, int flags)
{
	long ret = hp_linux_map(NULL, len, prot, flags, -1, 0);

	if (hp_linux_failed(ret) || hp_is_aligned((uintptr_t)ret, slot))
		return ret;
	hp_linux_unmap((void *)ret, len);
	ret = map_trimmed(len, slot, prot, flags);
	return hp_linux_failed(ret)
		       ? hp_linux_map(NULL, len, prot, flags, -1, 0)
		       : ret;
}
