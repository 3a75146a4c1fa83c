/* SPDX-License-Identifier: MIT */
/*
 * case_changed.c - a program changes the mapping of part of a block, as its
 * argument says, and frees the block like that. libc unmaps blocks of this
 * size, so the next owner of the memory must find nothing of it. With "raw"
 * after it the calls are made by number.
 */
#include <malloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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

static int change(const char *how, char *p, size_t len)
{
	if (!strcmp(how, "none"))
		return protect(p, len, PROT_NONE);
	if (!strcmp(how, "read"))
		return protect(p, len, PROT_READ);
	if (!strcmp(how, "wipeonfork"))
		return advise(p, len, MADV_WIPEONFORK);
	if (!strcmp(how, "dontfork"))
		return advise(p, len, MADV_DONTFORK);
	if (!strcmp(how, "lock"))
		return raw ? (int)syscall(SYS_mlock, p, len) : mlock(p, len);
	if (!strcmp(how, "dontneed"))
		return advise(p, len, MADV_DONTNEED);
	if (!strcmp(how, "unmap"))
		return raw ? (int)syscall(SYS_munmap, p, len) : munmap(p, len);
	if (!strcmp(how, "reserve"))
		return map_over(p, len, PROT_NONE, MAP_PRIVATE);
	return map_over(p, len, PROT_READ | PROT_WRITE, MAP_SHARED);
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
