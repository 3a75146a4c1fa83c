/* SPDX-License-Identifier: MIT */
/*
 * jeshim.c - the libc that jemalloc sees
 *
 * preload/jemalloc.syms renames jemalloc's libc calls to these. Two aims:
 * nothing it does at start can be interposed by another preloaded library
 * (which may allocate in its hook while jemalloc holds its init lock), and
 * every page it maps comes from the filler.
 */
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "libhp/arena.h"
#include "libhp/linux.h"
#include "libhp/syscall.h"

void *hp_je_mmap(void *addr, size_t len, int prot, int flags, int fd,
		 off_t offset);
int hp_je_munmap(void *addr, size_t len);
int hp_je_madvise(void *addr, size_t len, int advice);
int hp_je_mprotect(void *addr, size_t len, int prot);
int hp_je_open(const char *path, int flags, ...);
int hp_je_close(int fd);
int hp_je_creat(const char *path, mode_t mode);
ssize_t hp_je_readlink(const char *path, char *buf, size_t size);
char *hp_je_secure_getenv(const char *name);
long hp_je_syscall(long number, ...);
int hp_je_clock_gettime(clockid_t clock, struct timespec *ts);
int hp_je_gettimeofday(struct timeval *tv, void *tz);
int hp_je_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask);
long hp_je_sysconf(int name);
void *hp_je_sbrk(intptr_t increment);

/*
 * errno stays as it was throughout: jemalloc looks at results only, and what
 * fails in here on purpose is no business of the program's.
 */
static long libc_result(long ret)
{
	return hp_linux_failed(ret) ? -1 : ret;
}

static size_t pages_of(size_t len)
{
	return len >> hp_heap.slots.page_shift;
}

static void *take(size_t len, bool *clean)
{
	if (hp_is_aligned(len, hp_heap.slots.slot))
		return hp_filler_take_sparse(&hp_heap, pages_of(len), clean);
	return hp_filler_take(&hp_heap, pages_of(len), 1, clean);
}

/* an arena without hooks grows a block in place */
static void *take_at(void *addr, size_t len, bool *clean)
{
	return hp_heap_owns(addr) && hp_filler_take_at(&hp_heap, addr,
						       pages_of(len), clean)
		       ? addr
		       : NULL;
}

/* jemalloc's own constructor crashes without the page it tries its calls on */
static void *trial_page(size_t len)
{
	long addr = -1;

	if (len == hp_heap.slots.page)
		addr = hp_linux_map(NULL, len, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return hp_linux_failed(addr) ? MAP_FAILED : (void *)addr;
}

/*
 * Metadata and the extents of arenas that have no hooks yet. jemalloc asks for
 * zeroed memory and wants blocks of whole slots to be aligned to slots. It
 * does not survive a refusal while it makes a thread's caches, so what fails
 * for the moment only is tried twice.
 */
void *hp_je_mmap(void *addr, size_t len, int prot, int flags, int fd,
		 off_t offset)
{
	bool clean;
	void *got;

	(void)prot;
	(void)fd;
	(void)offset;
	if (flags & MAP_FIXED) /* commits or decommits what it has */
		return addr;
	if (HP_UNLIKELY(hp_heap_closed))
		return trial_page(len);
	got = addr ? take_at(addr, len, &clean) : take(len, &clean);
	if (!got && !addr)
		got = take(len, &clean);
	if (!got)
		return MAP_FAILED;
	if (!clean)
		memset(got, 0, len);
	return got;
}

static bool is_zero_page(const char *page, size_t len)
{
	return len == hp_heap.slots.page && page[0] == 0 &&
	       memcmp(page, page + 1, len - 1) == 0;
}

/* pages that jemalloc only tried its calls on at start are still clean */
int hp_je_munmap(void *addr, size_t len)
{
	if (!hp_heap_owns(addr))
		return hp_linux_unmap(addr, len);
	if (is_zero_page(addr, len))
		hp_filler_give_clean(&hp_heap, addr, 1);
	else
		hp_filler_give(&hp_heap, addr, pages_of(len));
	return 0;
}

/* the filler alone decides what goes back; the trial page must seem to */
int hp_je_madvise(void *addr, size_t len, int advice)
{
	if (advice != MADV_DONTNEED || len != hp_heap.slots.page)
		return -1;
	memset(addr, 0, len);
	return 0;
}

int hp_je_mprotect(void *addr, size_t len, int prot)
{
	return (int)libc_result(hp_linux_protect(addr, len, prot));
}

/* what it would read (overcommit, THP mode) is not its business any more */
int hp_je_open(const char *path, int flags, ...)
{
	(void)path;
	(void)flags;
	return -1;
}

int hp_je_close(int fd)
{
	(void)fd;
	return -1;
}

int hp_je_creat(const char *path, mode_t mode)
{
	return hp_je_open(path, 0, mode);
}

/* /etc/malloc.conf is for other jemallocs */
ssize_t hp_je_readlink(const char *path, char *buf, size_t size)
{
	(void)path;
	(void)buf;
	(void)size;
	return -1;
}

/* the one question jemalloc asks is MALLOC_CONF, as the first thing it does */
char *hp_je_secure_getenv(const char *name)
{
	(void)name;
	hp_arena_boot();
	return (char *)(uintptr_t)hp_arena_conf();
}

static bool is_open(long number)
{
#ifdef SYS_open
	if (number == SYS_open)
		return true;
#endif
	return number == SYS_openat;
}

long hp_je_syscall(long number, ...)
{
	long a[6];
	va_list args;

	va_start(args, number);
	for (size_t i = 0; i < HP_ARRAY_SIZE(a); i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (is_open(number))
		return -1;
	return libc_result(
		hp_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}

/* for statistics only, as nothing decays; a sandbox may kill for it */
int hp_je_clock_gettime(clockid_t clock, struct timespec *ts)
{
	*ts = (struct timespec){0};
	if (hp_heap.keep)
		return 0;
	return (int)libc_result(hp_syscall(SYS_clock_gettime, clock, ts));
}

int hp_je_gettimeofday(struct timeval *tv, void *tz)
{
	*tv = (struct timeval){0};
	if (hp_heap.keep)
		return 0;
	return (int)libc_result(hp_syscall(SYS_gettimeofday, tv, tz));
}

int hp_je_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	return (int)libc_result(
		hp_syscall(SYS_sched_getaffinity, pid, size, mask));
}

/* libc's opens /sys for the number of CPUs */
long hp_je_sysconf(int name)
{
	if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
		return (long)hp_linux_ncpus();
	if (name == _SC_PAGESIZE)
		return (long)hp_heap.slots.page;
	return -1;
}

void *hp_je_sbrk(intptr_t increment)
{
	(void)increment;
	return (void *)-1;
}
