/* SPDX-License-Identifier: MIT */
/*
 * case_changed.c - a program changes the mapping of part of a block, as its
 * argument says, and frees the block like that. libc unmaps blocks of this
 * size, so the next owner of the memory must find nothing of it. With "raw"
 * after it the calls are made by number.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define ROUNDS 40
#define BLOCKS 120

static const size_t sizes[] = {200000,	300 << 10, MIB,
			       3 * MIB, 700 << 10, 9 * MIB};
#define NSIZES (sizeof(sizes) / sizeof(sizes[0]))

static char *blocks[BLOCKS];

static int raw;

static int protect(char *p, size_t len, int prot)
{
	return raw ? (int)syscall(SYS_mprotect, p, len, prot)
		   : mprotect(p, len, prot);
}

static int advise(char *p, size_t len, int advice)
{
	return raw ? (int)syscall(SYS_madvise, p, len, advice)
		   : madvise(p, len, advice);
}

static int map_over(char *p, size_t len, int prot, int flags)
{
	void *at;

	flags |= MAP_ANONYMOUS | MAP_FIXED;
	at = raw ? (void *)syscall(SYS_mmap, p, len, prot, flags, -1, 0)
		 : mmap(p, len, prot, flags, -1, 0);
	return at != p;
}

static int none(char *p, size_t len)
{
	return protect(p, len, PROT_NONE);
}

static int read_only(char *p, size_t len)
{
	return protect(p, len, PROT_READ);
}

static int wipeonfork(char *p, size_t len)
{
	return advise(p, len, MADV_WIPEONFORK);
}

static int dontfork(char *p, size_t len)
{
	return advise(p, len, MADV_DONTFORK);
}

static int lock(char *p, size_t len)
{
	return raw ? (int)syscall(SYS_mlock, p, len) : mlock(p, len);
}

static int dontneed(char *p, size_t len)
{
	return advise(p, len, MADV_DONTNEED);
}

static int unmap(char *p, size_t len)
{
	return raw ? (int)syscall(SYS_munmap, p, len) : munmap(p, len);
}

static int reserve(char *p, size_t len)
{
	return map_over(p, len, PROT_NONE, MAP_PRIVATE);
}

static int shared(char *p, size_t len)
{
	return map_over(p, len, PROT_READ | PROT_WRITE, MAP_SHARED);
}

/* the kernel locks what lies before the page it cannot touch, and fails */
static int lock_half(char *p, size_t len)
{
	char *bad = p + len / 8192 * 4096;

	MUST(!protect(bad, 4096, PROT_NONE));
	MUST(lock(p, len));
	return protect(bad, 4096, PROT_READ | PROT_WRITE);
}

/* the pool is empty, or it is not: then the pages are another kind */
static int hugetlb(char *p, size_t len)
{
	uintptr_t mask = 2 * MIB - 1, start = ((uintptr_t)p + mask) & ~mask;

	if (start + 2 * MIB <= (uintptr_t)p + len)
		map_over((char *)start, 2 * MIB, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_HUGETLB | 21 << 26);
	return 0;
}

static int moved(char *p, size_t len)
{
	char *to =
		mmap(NULL, len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int flags = MREMAP_MAYMOVE | MREMAP_FIXED;

	MUST(to != MAP_FAILED);
	if (raw)
		MUST((char *)syscall(SYS_mremap, p, len, len, flags, to) == to);
	else
		MUST(mremap(p, len, len, flags, to) == to);
	return munmap(to, len);
}

static char *attach(char *p, size_t len, int flags)
{
	int id = shmget(IPC_PRIVATE, len, 0600);
	void *at;

	MUST(id >= 0);
	flags |= SHM_REMAP;
	at = raw ? (void *)syscall(SYS_shmat, id, p, flags)
		 : shmat(id, p, flags);
	MUST(!shmctl(id, IPC_RMID, NULL));
	return at;
}

static int segment(char *p, size_t len)
{
	return attach(p, len, 0) != p;
}

static int segment_read(char *p, size_t len)
{
	return attach(p, len, SHM_RDONLY) != p;
}

static int segment_gone(char *p, size_t len)
{
	return attach(p, len, 0) != p || shmdt(p);
}

/* advice on oneself came with Linux 6.13; before, nothing changes */
static int advise_process(char *p, size_t len, int advice)
{
	struct iovec range = {p, len};
	int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
	long ret;

	MUST(self >= 0);
	ret = raw ? syscall(SYS_process_madvise, self, &range, 1, advice, 0)
		  : process_madvise(self, &range, 1, advice, 0);
	close(self);
	return ret != (long)len && errno != EINVAL && errno != EPERM;
}

static int process_guard(char *p, size_t len)
{
	return advise_process(p, len, 102); /* MADV_GUARD_INSTALL */
}

static int process_fork(char *p, size_t len)
{
	return advise_process(p, len, MADV_DONTFORK);
}

/* libc has no name for it, and libnuma calls it by number */
static int bind_node(char *p, size_t len)
{
	unsigned long node = 1;

	return syscall(SYS_mbind, p, len, 2 /* MPOL_BIND */, &node, 64, 0) &&
	       errno != ENOSYS;
}

static const struct {
	const char *name;
	int (*change)(char *p, size_t len);
} hows[] = {
	{"none", none},
	{"read", read_only},
	{"wipeonfork", wipeonfork},
	{"dontfork", dontfork},
	{"lock", lock},
	{"dontneed", dontneed},
	{"unmap", unmap},
	{"reserve", reserve},
	{"shared", shared},
	{"lock_half", lock_half},
	{"hugetlb", hugetlb},
	{"moved", moved},
	{"segment", segment},
	{"segment_read", segment_read},
	{"segment_gone", segment_gone},
	{"process_guard", process_guard},
	{"process_fork", process_fork},
	{"bind", bind_node},
};

static int change(const char *how, char *p, size_t len)
{
	for (size_t i = 0; i < sizeof(hows) / sizeof(hows[0]); i++)
		if (!strcmp(how, hows[i].name))
			return hows[i].change(p, len);
	return -1;
}

/* nothing of the program's is locked or bound any more */
static void check_state(void)
{
	int policy = 0;

	MUST(case_field("/proc/self/status", "VmLck") == 0);
	for (int i = 0; i < BLOCKS; i++) {
		syscall(SYS_get_mempolicy, &policy, NULL, 0, blocks[i] + 4096,
			2 /* MPOL_F_ADDR */);
		MUST(policy == 0);
	}
}

/* between blocks that stay: no slot becomes empty by the free */
static void change_and_free(const char *how, int round, char **stays)
{
	size_t size = sizes[round % NSIZES], len;
	char *p = memalign(4096, size);

	*stays = malloc(200000);
	MUST(p && *stays);
	memset(p, 7, size);
	memset(*stays, 1, 200000);
	len = round % 3 ? (size - 8 * 4096) & ~(size_t)4095 : 4096;
	MUST(!change(how, p + 4096 * (round % 5), len));
	free(p);
}

static int intact(void)
{
	for (int i = 0; i < BLOCKS; i++)
		if (!case_all(blocks[i], sizes[i % NSIZES], (unsigned char)i))
			return 0;
	return 1;
}

static void fill(int more)
{
	for (int i = 0; i < BLOCKS; i++)
		memset(blocks[i], i + more, sizes[i % NSIZES]);
}

/* the child has its own copy of everything, and of nothing a shared one */
static void check_fork(void)
{
	pid_t pid = fork();
	int status;

	MUST(pid >= 0);
	if (pid == 0) {
		int well = intact();

		fill(1);
		_exit(!well);
	}
	MUST(waitpid(pid, &status, 0) == pid && status == 0);
	MUST(intact());
}

int main(int argc, char **argv)
{
	char *stay[ROUNDS], *zeroed;

	MUST(argc > 1);
	raw = argc > 2 && !strcmp(argv[2], "raw");
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	for (int i = 0; i < ROUNDS; i++)
		change_and_free(argv[1], i, &stay[i]);
	for (int i = 0; i < BLOCKS; i++)
		MUST((blocks[i] = malloc(sizes[i % NSIZES])));
	fill(0);
	check_state();
	check_fork();
	for (int i = 0; i < ROUNDS; i++) {
		MUST(case_all(stay[i], 200000, 1));
		free(stay[i]);
	}
	for (int i = 0; i < BLOCKS; i++)
		free(blocks[i]);
	zeroed = calloc(1, 20 * MIB);
	MUST(zeroed && case_all(zeroed, 20 * MIB, 0));
	free(zeroed);
	puts("ok");
	return 0;
}
