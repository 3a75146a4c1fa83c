/* SPDX-License-Identifier: MIT */
/*
 * sandbox.c - calls that install a filter of system calls
 *
 * A filter set now may kill the process at its first madvise or open. libhp
 * can do with mmap, munmap and mremap from here on.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "libhp/common.h"
#include "libhp/linux.h"
#include "libhp/syscall.h"
#include "preload/start.h"

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
	return (int)libc_result(hp_linux_prctl(option, a));
}

/*
 * seccomp(2) has no function of its own in libc, and libseccomp calls it like
 * this. All calls may go straight to the kernel: libc's function does no more,
 * and takes its arguments in the same registers, whatever their number.
 */
long hp_sandbox_syscall(long nr, long a, long b, long c, long d, long e,
			long f) __asm__("syscall");

HP_EXPORT long hp_sandbox_syscall(long nr, long a, long b, long c, long d,
				  long e, long f)
{
	if (nr == SYS_seccomp && (a == SECCOMP_SET_MODE_STRICT ||
				  a == SECCOMP_SET_MODE_FILTER))
		hp_start_sandbox();
	return libc_result(hp_syscall6(nr, a, b, c, d, e, f));
}
