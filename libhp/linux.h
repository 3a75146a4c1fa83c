/* SPDX-License-Identifier: MIT */
/*
 * linux.h - what libhp asks of the kernel; the only door to it
 *
 * Every function is one system call, made without libc: no errno, no
 * cancellation, nothing another preloaded library could interpose, no
 * allocation. All are thread-safe and async-signal-safe.
 *
 * Return, unless said otherwise: 0 or more on success, -errno on failure.
 */
#ifndef HP_LINUX_H
#define HP_LINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/types.h>

/* Newer than the headers of Debian 12. Values: include/uapi/asm-generic. */
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

/* hp_linux_map() and hp_linux_remap() return an address or -errno */
static inline bool hp_linux_failed(long ret)
{
	return ret < 0 && ret > -4096;
}

long hp_linux_map(void *addr, size_t len, int prot, int flags, int fd,
		  off_t offset);
long hp_linux_remap(void *addr, size_t old_len, size_t new_len, int flags,
		    void *new_addr);
int hp_linux_unmap(void *addr, size_t len);
int hp_linux_protect(void *addr, size_t len, int prot);
int hp_linux_protect_key(void *addr, size_t len, int prot, int key);

/* hp_linux_advise - madvise(2) with the caller's advice */
int hp_linux_advise(void *addr, size_t len, int advice);

/**
 * hp_linux_advise_many - the same advice for up to IOV_MAX ranges at once
 *
 * process_madvise(2) on the caller itself: MADV_DONTNEED since Linux 6.15,
 * -EINVAL or -EPERM before, -ENOSYS before 5.10.
 *
 * Return: bytes advised, which may be fewer than asked for.
 */
struct iovec;
ssize_t hp_linux_advise_many(const struct iovec *ranges, size_t n, int advice);

/**
 * hp_linux_populate - fault every page in, writable
 *
 * MADV_POPULATE_WRITE (Linux 5.14): reports -EFAULT where a touch would raise
 * SIGBUS. Partial success is possible; -EINVAL on older kernels.
 */
int hp_linux_populate(void *addr, size_t len);

/**
 * hp_linux_collapse - make huge pages of present small ones, now
 *
 * MADV_COLLAPSE (Linux 6.1): synchronous, may reclaim and compact: never call
 * it with a lock held. -EINVAL on an untouched range, on older kernels, or
 * where prctl or MADV_NOHUGEPAGE forbid it.
 */
int hp_linux_collapse(void *addr, size_t len);

/* hp_linux_pidfd - a descriptor that stands for process @pid (Linux 5.3) */
int hp_linux_pidfd(pid_t pid);

/**
 * hp_linux_advise_process - advise up to IOV_MAX ranges of another process
 * @pidfd: of the process; its memory is neither stopped nor read
 *
 * process_madvise(2), MADV_COLLAPSE since Linux 6.1. Without any range it only
 * tells whether the call would be allowed.
 *
 * Return: bytes advised; -EACCES or -EPERM not this process' to advise;
 * -ENOSYS, -EINVAL older kernels; -ESRCH it has ended.
 */
ssize_t hp_linux_advise_process(int pidfd, const struct iovec *ranges, size_t n,
				int advice);
/* hp_linux_advise_by - for whoever wraps process_madvise(2) */
ssize_t hp_linux_advise_by(int pidfd, const struct iovec *ranges, size_t n,
			   int advice, unsigned int flags);

/* shmat(2): an address or -errno */
long hp_linux_shm_attach(int id, const void *addr, int flags);
/* bytes of a segment of shared memory; 0 when unknown */
size_t hp_linux_shm_size(int id);

/* mlock2(2), munlock(2), mlockall(2) and munlockall(2) */
int hp_linux_lock(void *addr, size_t len, int flags);
int hp_linux_unlock(void *addr, size_t len);
int hp_linux_lock_all(int flags);
int hp_linux_unlock_all(void);

/* mbind(2); @mask has @maxnode bits */
int hp_linux_bind(void *addr, size_t len, int mode, const unsigned long *mask,
		  unsigned long maxnode, unsigned int flags);

/* hp_linux_nodes - those this process may have memory of; -ENOSYS: no NUMA */
int hp_linux_nodes(unsigned long *mask, unsigned long maxnode);

/* hp_linux_prctl - for whoever wraps prctl(2): passed on as it is */
long hp_linux_prctl(int option, const unsigned long args[4]);

/* PR_GET_THP_DISABLE: 0 no, 1 wholly, 3 except where advised (Linux 6.18) */
int hp_linux_thp_disabled(void);

/* name anonymous memory in /proc/PID/maps; -EINVAL where not compiled in */
int hp_linux_name(void *addr, size_t len, const char *name);

/* PAGEMAP_SCAN (Linux 6.7), as in include/uapi/linux/fs.h */
struct hp_scan_range {
	uint64_t start;
	uint64_t end;
	uint64_t categories;
};

enum {
	HP_SCAN_FILE = 1 << 2,
	HP_SCAN_PRESENT = 1 << 3,
	HP_SCAN_SWAPPED = 1 << 4,
	HP_SCAN_ZERO = 1 << 5, /* the shared zero page, small or huge */
	HP_SCAN_HUGE = 1 << 6, /* mapped by a PMD or hugetlb */
};

/* which pages: those with all of @all, and one of @any unless that is 0 */
struct hp_scan_want {
	uint64_t all, any;
	uint64_t inverted; /* of these the lack counts, in both */
	uint64_t report;   /* categories to tell apart in the result */
};

/**
 * hp_linux_scan - the ranges of [@start, @end) that are wanted
 * @pagemap: descriptor of /proc/PID/pagemap
 * @walked:  receives the address the walk reached; < @end when @ranges is full
 *
 * Return: number of ranges filled in; -ENOTTY before Linux 6.7.
 */
int hp_linux_scan(int pagemap, uint64_t start, uint64_t end,
		  const struct hp_scan_want *want, struct hp_scan_range *ranges,
		  size_t nranges, uint64_t *walked);

/* one mapping, as PROCMAP_QUERY (Linux 6.11) tells it */
struct hp_vma {
	uint64_t start, end;
	uint64_t page_size; /* larger than the base page: hugetlb */
	bool writable;
	bool file; /* or a device */
};

/**
 * hp_linux_vma - the mapping that covers @addr, else the next above it
 * @maps: descriptor of /proc/PID/maps
 *
 * Return: 0; -ENOENT nothing there or above; -ENOTTY before Linux 6.11.
 */
int hp_linux_vma(int maps, uint64_t addr, struct hp_vma *out);

/* @path is opened O_CLOEXEC; @flags and @mode as open(2) */
int hp_linux_open(const char *path, int flags, int mode);

/**
 * hp_linux_create - an empty file to write to, or what is there of another kind
 *
 * Does not wait for the reader of a FIFO, and fails where there is none.
 *
 * Return: a descriptor; -errno, -ENXIO a FIFO without a reader.
 */
int hp_linux_create(const char *path);

int hp_linux_close(int fd);
ssize_t hp_linux_read(int fd, void *buf, size_t len);
/* pread(2) */
ssize_t hp_linux_read_at(int fd, void *buf, size_t len, uint64_t offset);

/* one entry as getdents64(2) lays it out; @len bytes further is the next */
struct hp_linux_entry {
	uint64_t inode;
	int64_t offset;
	uint16_t len;
	uint8_t type;
	char name[];
};
/* bytes of entries put into @buf, 0 at the end of the directory */
ssize_t hp_linux_entries(int fd, void *buf, size_t len);

/* writes all of @buf unless an error stops it, such as a reader too slow: -EAGAIN
 * after ten seconds without progress, where @fd is O_NONBLOCK */
int hp_linux_write(int fd, const void *buf, size_t len);
/* which file a descriptor is open on */
struct hp_file_id {
	uint64_t device, inode;
};
int hp_linux_file_id(int fd, struct hp_file_id *out);

/* bytes of the file a descriptor is open on */
long hp_linux_file_size(int fd);

int hp_linux_memfd(const char *name, unsigned int flags);
int hp_linux_truncate(int fd, off_t len);

/* signals as the kernel numbers them: bit 0 is signal 1 */
int hp_linux_sigmask(int how, const uint64_t *set, uint64_t *before);
/* what the caller or its process is to get once it is not blocked */
uint64_t hp_linux_sigpending(void);
/* takes one of @set that is pending; -EAGAIN: none is */
int hp_linux_sigtake(uint64_t set);

int hp_linux_getrlimit(int resource, struct rlimit *limit);
pid_t hp_linux_getpid(void);
/* CLOCK_MONOTONIC_COARSE in milliseconds */
uint64_t hp_linux_now_ms(void);
/* bytes of RAM; 0 when unknown */
uint64_t hp_linux_ram(void);
/* bytes of a base page */
size_t hp_linux_page_size(void);
/* CPUs this process may run on, at least 1 */
unsigned int hp_linux_ncpus(void);

/* waits while *@word == @value, at most @ms milliseconds */
int hp_linux_futex_wait(const uint32_t *word, uint32_t value, unsigned int ms);
int hp_linux_futex_wake(const uint32_t *word);

#endif
