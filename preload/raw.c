/* SPDX-License-Identifier: MIT */
/*
 * raw.c - system calls without a name of their own in libc: prctl, syscall
 *
 * A filter of system calls set now may kill the process at its first madvise
 * or open: libhp can do with mmap, munmap and mremap from here on. And what a
 * program does to memory by number is the same as what it does by name.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/uio.h>

#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/syscall.h"
#include "preload/change.h"
#include "preload/child.h"
#include "preload/next.h"
#include "preload/outcome.h"
#include "preload/record.h"
#include "preload/start.h"

#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif

static long libc_result(long ret)
{
	if (!hp_linux_failed(ret))
		return ret;
	errno = (int)-ret;
	return -1;
}

HP_EXPORT int prctl(int option, ...)
{
	unsigned long a[4];
	va_list args;

	va_start(args, option);
	for (size_t i = 0; i < HP_ARRAY_SIZE(a); i++)
		a[i] = va_arg(args, unsigned long);
	va_end(args);
	if (option == PR_SET_SECCOMP)
		hp_start_sandbox();
	if (HP_LIKELY(hp_next.prctl != NULL))
		return hp_next.prctl(option, a[0], a[1], a[2], a[3]);
	return (int)libc_result(hp_linux_prctl(option, a));
}

static bool is_filter(long nr, long a)
{
	return nr == SYS_seccomp &&
	       (a == SECCOMP_SET_MODE_STRICT || a == SECCOMP_SET_MODE_FILTER);
}

/*
 * libc's own instruction: a filter or a dispatcher of system calls that the
 * program has set may tell them by the address they come from.
 */
static long by_libc(long nr, long a, long b, long c, long d, long e, long f)
{
	if (HP_LIKELY(hp_next.syscall != NULL))
		return hp_next.syscall(nr, a, b, c, d, e, f);
	return libc_result(hp_syscall6(nr, a, b, c, d, e, f));
}

/* clone and clone3 by their flags; x86 has a call for fork alone */
static bool makes_child(long nr, long a)
{
#ifdef SYS_fork
	if (nr == SYS_fork)
		return true;
#endif
	if (nr == SYS_clone)
		return !(a & CLONE_VM);
	return nr == SYS_clone3 && !(*(uint64_t *)a & CLONE_VM);
}

static long watched(long nr, long a, long b, long c, long d, long e, long f)
{
	long ret;

	if (is_filter(nr, a))
		hp_start_sandbox();
	ret = by_libc(nr, a, b, c, d, e, f);
	/* whoever has one wants to see the first touch of each page */
	if (nr == SYS_userfaultfd && ret >= 0)
		hp_record_pack_no_more();
	if (HP_UNLIKELY(ret == 0 && makes_child(nr, a)))
		hp_child_begins();
	return ret;
}

/*
 * seccomp(2) has no function of its own in libc, and libseccomp calls it like
 * this. All other calls go on to libc's function, which
 * takes its arguments in the same registers, whatever their number.
 * Who maps by number wants no other to choose the place: only what replaces
 * memory is followed, and what ends the process.
 */
long hp_raw_syscall(long nr, long a, long b, long c, long d, long e,
		    long f) __asm__("syscall");

HP_EXPORT long hp_raw_syscall(long nr, long a, long b, long c, long d, long e,
			      long f)
{
	void *addr = (void *)a;
	size_t len = (size_t)b;

	switch (nr) {
	case SYS_mmap:
		if (!(d & MAP_FIXED))
			break;
		return (long)mmap(addr, len, (int)c, (int)d, (int)e, f);
	case SYS_munmap:
		return munmap(addr, len);
	case SYS_mremap:
		return (long)mremap(addr, len, (size_t)c, (int)d, (void *)e);
	case SYS_mprotect:
		return mprotect(addr, len, (int)c);
	case SYS_pkey_mprotect:
		return pkey_mprotect(addr, len, (int)c, (int)d);
	case SYS_madvise:
		return madvise(addr, len, (int)c);
	case SYS_mlock:
		return mlock(addr, len);
	case SYS_mlock2:
		return mlock2(addr, len, (unsigned int)c);
	case SYS_munlock:
		return munlock(addr, len);
	case SYS_shmat:
		return (long)shmat((int)a, (void *)b, (int)c);
	case SYS_process_madvise:
		return process_madvise((int)a, (struct iovec *)b, (size_t)c,
				       (int)d, (unsigned int)e);
	case SYS_mbind:
		return libc_result(
			hp_change_policy(addr, len, (int)c, (unsigned long *)d,
					 (unsigned long)e, (unsigned int)f));
	case SYS_mlockall:
		return mlockall((int)a);
	case SYS_munlockall:
		return munlockall();
	case SYS_exit_group:
		hp_outcome_report();
		break;
	case SYS_exit:
		hp_outcome_exit_thread();
		break;
	}
	return watched(nr, a, b, c, d, e, f);
}
