/* SPDX-License-Identifier: MIT */
#include "libhp/linux.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/mempolicy.h>
#include <poll.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <time.h>

#include "libhp/common.h"
#include "libhp/syscall.h"

#define WRITE_WAIT_S 10

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#define PR_SET_VMA_ANON_NAME 0
#endif

/* include/uapi/linux/fs.h, struct pm_scan_arg */
struct scan_arg {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t category_inverted, category_mask, category_anyof_mask;
	uint64_t return_mask;
};
#define PAGEMAP_SCAN_IOCTL _IOWR('f', 16, struct scan_arg)

_Static_assert(sizeof(struct scan_arg) == 96, "the kernel checks this size");

/* include/uapi/linux/fs.h, struct procmap_query */
struct vma_arg {
	uint64_t size, query_flags, query_addr;
	uint64_t start, end, vma_flags, page_size, offset, inode;
	uint32_t dev_major, dev_minor, name_size, build_id_size;
	uint64_t name_addr, build_id_addr;
};
#define PROCMAP_QUERY_IOCTL _IOWR('f', 17, struct vma_arg)
#define COVERING_OR_NEXT 0x10
#define QUERIED_WRITABLE 0x02

_Static_assert(sizeof(struct vma_arg) == 104, "the kernel checks this size");

long hp_linux_map(void *addr, size_t len, int prot, int flags, int fd,
		  off_t offset)
{
	return hp_syscall(SYS_mmap, addr, len, prot, flags, fd, offset);
}

long hp_linux_remap(void *addr, size_t old_len, size_t new_len, int flags,
		    void *new_addr)
{
	return hp_syscall(SYS_mremap, addr, old_len, new_len, flags, new_addr);
}

int hp_linux_unmap(void *addr, size_t len)
{
	return (int)hp_syscall(SYS_munmap, addr, len);
}

int hp_linux_protect(void *addr, size_t len, int prot)
{
	return (int)hp_syscall(SYS_mprotect, addr, len, prot);
}

int hp_linux_protect_key(void *addr, size_t len, int prot, int key)
{
	return (int)hp_syscall(SYS_pkey_mprotect, addr, len, prot, key);
}

int hp_linux_advise(void *addr, size_t len, int advice)
{
	return (int)hp_syscall(SYS_madvise, addr, len, advice);
}

#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef PIDFD_SELF_THREAD_GROUP
#define PIDFD_SELF_THREAD_GROUP (-10001) /* Linux 6.14 */
#endif

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

ssize_t hp_linux_advise_many(const struct iovec *ranges, size_t n, int advice)
{
	return hp_linux_advise_process(PIDFD_SELF_THREAD_GROUP, ranges, n,
				       advice);
}

int hp_linux_pidfd(pid_t pid)
{
	return (int)hp_syscall(SYS_pidfd_open, pid, 0);
}

ssize_t hp_linux_advise_process(int pidfd, const struct iovec *ranges, size_t n,
				int advice)
{
	return hp_linux_advise_by(pidfd, ranges, n, advice, 0);
}

ssize_t hp_linux_advise_by(int pidfd, const struct iovec *ranges, size_t n,
			   int advice, unsigned int flags)
{
	return hp_syscall(SYS_process_madvise, pidfd, ranges, n, advice, flags);
}

long hp_linux_shm_attach(int id, const void *addr, int flags)
{
	return hp_syscall(SYS_shmat, id, addr, flags);
}

size_t hp_linux_shm_size(int id)
{
	struct shmid_ds segment;

	if (hp_syscall(SYS_shmctl, id, IPC_STAT, &segment) < 0)
		return 0;
	return segment.shm_segsz;
}

int hp_linux_populate(void *addr, size_t len)
{
	return hp_linux_advise(addr, len, MADV_POPULATE_WRITE);
}

int hp_linux_collapse(void *addr, size_t len)
{
	return hp_linux_advise(addr, len, MADV_COLLAPSE);
}

int hp_linux_lock(void *addr, size_t len, int flags)
{
	/* mlock2(2) came with Linux 4.4, and old sandboxes do not know it */
	if (flags == 0)
		return (int)hp_syscall(SYS_mlock, addr, len);
	return (int)hp_syscall(SYS_mlock2, addr, len, flags);
}

int hp_linux_unlock(void *addr, size_t len)
{
	return (int)hp_syscall(SYS_munlock, addr, len);
}

int hp_linux_lock_all(int flags)
{
	return (int)hp_syscall(SYS_mlockall, flags);
}

int hp_linux_unlock_all(void)
{
	return (int)hp_syscall(SYS_munlockall, 0);
}

int hp_linux_bind(void *addr, size_t len, int mode, const unsigned long *mask,
		  unsigned long maxnode, unsigned int flags)
{
	return (int)hp_syscall(SYS_mbind, addr, len, mode, mask, maxnode,
			       flags);
}

int hp_linux_nodes(unsigned long *mask, unsigned long maxnode)
{
	return (int)hp_syscall(SYS_get_mempolicy, NULL, mask, maxnode, 0,
			       MPOL_F_MEMS_ALLOWED);
}

long hp_linux_prctl(int option, const unsigned long args[4])
{
	return hp_syscall(SYS_prctl, option, args[0], args[1], args[2],
			  args[3]);
}

int hp_linux_thp_disabled(void)
{
	return (int)hp_syscall(SYS_prctl, PR_GET_THP_DISABLE, 0, 0, 0, 0);
}

int hp_linux_name(void *addr, size_t len, const char *name)
{
	return (int)hp_syscall(SYS_prctl, PR_SET_VMA, PR_SET_VMA_ANON_NAME,
			       addr, len, name);
}

int hp_linux_scan(int pagemap, uint64_t start, uint64_t end,
		  const struct hp_scan_want *want, struct hp_scan_range *ranges,
		  size_t nranges, uint64_t *walked)
{
	struct scan_arg arg = {
		.size = sizeof(arg),
		.start = start,
		.end = end,
		.vec = (uintptr_t)ranges,
		.vec_len = nranges,
		.category_inverted = want->inverted,
		.category_mask = want->all,
		.category_anyof_mask = want->any,
		.return_mask = want->report,
	};
	long ret = hp_syscall(SYS_ioctl, pagemap, PAGEMAP_SCAN_IOCTL, &arg);

	*walked = arg.walk_end;
	return (int)ret;
}

int hp_linux_vma(int maps, uint64_t addr, struct hp_vma *out)
{
	struct vma_arg arg = {
		.size = sizeof(arg),
		.query_flags = COVERING_OR_NEXT,
		.query_addr = addr,
	};
	long ret = hp_syscall(SYS_ioctl, maps, PROCMAP_QUERY_IOCTL, &arg);

	if (ret < 0)
		return (int)ret;
	*out = (struct hp_vma){
		.start = arg.start,
		.end = arg.end,
		.page_size = arg.page_size,
		.writable = arg.vma_flags & QUERIED_WRITABLE,
		.file = arg.inode != 0,
	};
	return 0;
}

int hp_linux_open(const char *path, int flags, int mode)
{
	return (int)hp_syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC,
			       mode);
}

int hp_linux_create(const char *path)
{
	return hp_linux_open(
		path, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_NONBLOCK,
		0644);
}

int hp_linux_close(int fd)
{
	return (int)hp_syscall(SYS_close, fd);
}

ssize_t hp_linux_read(int fd, void *buf, size_t len)
{
	ssize_t n;

	do
		n = hp_syscall(SYS_read, fd, buf, len);
	while (n == -EINTR);
	return n;
}

ssize_t hp_linux_read_at(int fd, void *buf, size_t len, uint64_t offset)
{
	return hp_syscall(SYS_pread64, fd, buf, len, offset);
}

ssize_t hp_linux_entries(int fd, void *buf, size_t len)
{
	return hp_syscall(SYS_getdents64, fd, buf, len);
}

/* where @fd does not wait itself, as others who share it may have wished */
static bool is_writable_soon(int fd)
{
	const struct timespec soon = {WRITE_WAIT_S, 0};
	struct pollfd one = {.fd = fd, .events = POLLOUT};
	long n = hp_syscall(SYS_ppoll, &one, 1, &soon, NULL, 0);

	return n > 0 || n == -EINTR;
}

int hp_linux_write(int fd, const void *buf, size_t len)
{
	const char *p = buf;

	while (len > 0) {
		ssize_t n = hp_syscall(SYS_write, fd, p, len);

		if (n == -EINTR || (n == -EAGAIN && is_writable_soon(fd)))
			continue;
		if (n <= 0)
			return n < 0 ? (int)n : -EIO;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int hp_linux_sigmask(int how, const uint64_t *set, uint64_t *before)
{
	return (int)hp_syscall(SYS_rt_sigprocmask, how, set, before,
			       sizeof(*set));
}

uint64_t hp_linux_sigpending(void)
{
	uint64_t set = 0;

	hp_syscall(SYS_rt_sigpending, &set, sizeof(set));
	return set;
}

int hp_linux_sigtake(uint64_t set)
{
	static const struct timespec now;

	return (int)hp_syscall(SYS_rt_sigtimedwait, &set, NULL, &now,
			       sizeof(set));
}

long hp_linux_file_size(int fd)
{
	struct stat st;
	long ret = hp_syscall(SYS_fstat, fd, &st);

	return ret < 0 ? ret : (long)st.st_size;
}

int hp_linux_file_id(int fd, struct hp_file_id *out)
{
	struct stat st;
	long ret = hp_syscall(SYS_fstat, fd, &st);

	if (ret < 0)
		return (int)ret;
	out->device = st.st_dev;
	out->inode = st.st_ino;
	return 0;
}

int hp_linux_memfd(const char *name, unsigned int flags)
{
	return (int)hp_syscall(SYS_memfd_create, name, flags);
}

int hp_linux_truncate(int fd, off_t len)
{
	return (int)hp_syscall(SYS_ftruncate, fd, len);
}

int hp_linux_getrlimit(int resource, struct rlimit *limit)
{
	return (int)hp_syscall(SYS_prlimit64, 0, resource, 0, limit);
}

pid_t hp_linux_getpid(void)
{
	return (pid_t)hp_syscall(SYS_getpid, 0);
}

uint64_t hp_linux_now_ms(void)
{
	struct timespec ts = {0, 0};

	hp_syscall(SYS_clock_gettime, CLOCK_MONOTONIC_COARSE, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

uint64_t hp_linux_ram(void)
{
	struct sysinfo info;

	if (hp_syscall(SYS_sysinfo, &info) < 0)
		return 0;
	return (uint64_t)info.totalram * info.mem_unit;
}

size_t hp_linux_page_size(void)
{
	return getauxval(AT_PAGESZ);
}

unsigned int hp_linux_ncpus(void)
{
	unsigned long
		mask[128]; /* 8192 CPUs; fewer than the kernel's: EINVAL */
	long bytes = hp_syscall(SYS_sched_getaffinity, 0, sizeof(mask), mask);
	unsigned int n = 0;

	for (long i = 0; i < bytes / (long)sizeof(mask[0]); i++)
		n += (unsigned int)__builtin_popcountl(mask[i]);
	return n > 0 ? n : 1;
}

int hp_linux_futex_wait(const uint32_t *word, uint32_t value, unsigned int ms)
{
	struct timespec ts = {ms / 1000, (long)(ms % 1000) * 1000000};

	return (int)hp_syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &ts);
}

int hp_linux_futex_wake(const uint32_t *word)
{
	return (int)hp_syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1);
}
