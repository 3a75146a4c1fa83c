/* SPDX-License-Identifier: MIT */
/*
 * mmap.c - the mmap family, as the program calls it
 *
 * Errors leave errno as libc's own wrappers do; success leaves it alone. All
 * of these may be called from a signal handler.
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/uio.h>

#include "libhp/common.h"
#include "libhp/gate.h"
#include "libhp/linux.h"
#include "preload/change.h"
#include "preload/place.h"

static long libc_result(long ret)
{
	if (!hp_linux_failed(ret))
		return ret;
	errno = (int)-ret;
	return -1;
}

/*
 * Memory at a fixed address goes before the new mapping is made, and it is gone
 * where that fails: MAP_HUGETLB with an empty pool, for instance.
 */
static long at_fixed(long ret, bool fixed, const void *addr, size_t len)
{
	if (fixed && hp_linux_failed(ret))
		hp_change_tried(addr, len);
	return libc_result(ret);
}

/* memory does not change while a live probe reads it: libhp/gate.h */
static long passed(long ret)
{
	hp_gate_leave();
	return ret;
}

static void *map(void *addr, size_t len, int prot, int flags, int fd,
		 off_t offset)
{
	long ret;

	hp_gate_enter();
	ret = passed(hp_place_map(addr, len, prot, flags, fd, offset));
	return (void *)at_fixed(ret, flags & MAP_FIXED, addr, len);
}

HP_EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd,
		     off_t offset)
{
	return map(addr, len, prot, flags, fd, offset);
}

_Static_assert(sizeof(off_t) == 8, "mmap and mmap64 are one on 64-bit systems");

#undef mmap64
HP_EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd,
		       off64_t offset)
{
	return map(addr, len, prot, flags, fd, offset);
}

HP_EXPORT int munmap(void *addr, size_t len)
{
	hp_place_unmapping(addr, len);
	hp_gate_enter();
	return (int)libc_result(passed(hp_place_unmap(addr, len)));
}

HP_EXPORT void *mremap(void *addr, size_t old_len, size_t new_len, int flags,
		       ...)
{
	void *new_addr = NULL;
	va_list args;
	long ret;

	if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
		va_start(args, flags);
		new_addr = va_arg(args, void *);
		va_end(args);
	}
	hp_gate_enter();
	ret = passed(hp_place_remap(addr, old_len, new_len, flags, new_addr));
	return (void *)at_fixed(ret, flags & MREMAP_FIXED, new_addr, new_len);
}

HP_EXPORT int mprotect(void *addr, size_t len, int prot)
{
	hp_gate_enter();
	return (int)libc_result(passed(hp_change_protect(addr, len, prot)));
}

HP_EXPORT int madvise(void *addr, size_t len, int advice)
{
	hp_gate_enter();
	return (int)libc_result(passed(hp_change_advise(addr, len, advice)));
}

HP_EXPORT int pkey_mprotect(void *addr, size_t len, int prot, int key)
{
	if (key == -1)
		return mprotect(addr, len, prot);
	hp_gate_enter();
	return (int)libc_result(passed(hp_change_key(addr, len, prot, key)));
}

HP_EXPORT int mlock(const void *addr, size_t len)
{
	return (int)libc_result(
		hp_change_lock((void *)(uintptr_t)addr, len, 0));
}

HP_EXPORT int mlock2(const void *addr, size_t len, unsigned int flags)
{
	return (int)libc_result(
		hp_change_lock((void *)(uintptr_t)addr, len, (int)flags));
}

HP_EXPORT int munlock(const void *addr, size_t len)
{
	return (int)libc_result(hp_change_unlock((void *)(uintptr_t)addr, len));
}

HP_EXPORT ssize_t process_madvise(int pidfd, const struct iovec *ranges,
				  size_t n, int advice, unsigned int flags)
{
	hp_gate_enter();
	return libc_result(
		passed(hp_change_advise_by(pidfd, ranges, n, advice, flags)));
}

HP_EXPORT void *shmat(int id, const void *addr, int flags)
{
	hp_gate_enter();
	return (void *)libc_result(passed(hp_change_attach(id, addr, flags)));
}

/* as in glibc: POSIX lets DONTNEED keep the data, Linux's would lose it */
HP_EXPORT int posix_madvise(void *addr, size_t len, int advice)
{
	if (advice == POSIX_MADV_DONTNEED)
		return 0;
	hp_gate_enter();
	return (int)-passed(hp_change_advise(addr, len, advice));
}
