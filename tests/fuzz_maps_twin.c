/* SPDX-License-Identifier: MIT */
/*
 * The mmap family as libhp answers it against the kernel itself: each input is a
 * sequence of calls (tests/fuzz_sequence.h), made twice in this process, past
 * libhp and through it, and must see the same. libhp-preload's objects are
 * linked in and watched for coverage. A difference prints both traces.
 */
#include "tests/fuzz_sequence.h"

#include "libhp/syscall.h"

static long kernel_says(long ret)
{
	if (ret >= 0 || ret < -4095)
		return ret;
	errno = (int)-ret;
	return -1;
}

static void *kernel_mmap(void *addr, size_t len, int prot, int flags, int fd,
			 off_t offset)
{
	return (void *)kernel_says(
		hp_syscall(SYS_mmap, addr, len, prot, flags, fd, offset));
}

static int kernel_munmap(void *addr, size_t len)
{
	return (int)kernel_says(hp_syscall(SYS_munmap, addr, len));
}

static void *kernel_mremap(void *addr, size_t old_len, size_t len, int flags,
			   ...)
{
	void *to = NULL;
	va_list args;

	if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
		va_start(args, flags);
		to = va_arg(args, void *);
		va_end(args);
	}
	return (void *)kernel_says(
		hp_syscall(SYS_mremap, addr, old_len, len, flags, to));
}

static int kernel_mprotect(void *addr, size_t len, int prot)
{
	return (int)kernel_says(hp_syscall(SYS_mprotect, addr, len, prot));
}

static int kernel_madvise(void *addr, size_t len, int advice)
{
	return (int)kernel_says(hp_syscall(SYS_madvise, addr, len, advice));
}

/* as glibc's, which is no system call */
static int kernel_posix_madvise(void *addr, size_t len, int advice)
{
	if (advice == POSIX_MADV_DONTNEED)
		return 0;
	return (int)-hp_syscall(SYS_madvise, addr, len, advice);
}

static int kernel_mlock(const void *addr, size_t len)
{
	return (int)kernel_says(hp_syscall(SYS_mlock, addr, len));
}

static int kernel_mlock2(const void *addr, size_t len, unsigned int flags)
{
	return (int)kernel_says(hp_syscall(SYS_mlock2, addr, len, flags));
}

static const struct calls calls_of_kernel = {
	kernel_mmap,	kernel_munmap,	      kernel_mremap, kernel_mprotect,
	kernel_madvise, kernel_posix_madvise, kernel_mlock,  kernel_mlock2,
};

static uint64_t seen_by(const struct calls *calls, const struct input *in)
{
	via = calls;
	sequence(in);
	return trace_hash;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	alone = true;
	file = memfd_create("fuzz", MFD_CLOEXEC);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct input in = {.bytes = data, .len = size};

	if (size == 0)
		return 0;
	fault_catch();
	if (seen_by(&calls_of_kernel, &in) == seen_by(&calls_of_libc, &in))
		return 0;
	verbose = true;
	put("the kernel:\n", 12);
	seen_by(&calls_of_kernel, &in);
	put("libhp:\n", 7);
	seen_by(&calls_of_libc, &in);
	abort();
}
