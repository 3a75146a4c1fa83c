/* SPDX-License-Identifier: MIT */
/*
 * case_block_calls.c - calls of the mmap family on small parts of one block of
 * the heap, whose other bytes stay. On a hugetlb page the kernel refuses most of
 * them, answers 0 to some and does nothing, and moves two MiB where 4 KiB are
 * meant. With "thread" there is another thread all the time, and only those
 * calls are made that need no part of a page for themselves.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define PAGE 4096
#define LEN (16 * MIB)
#define RW (PROT_READ | PROT_WRITE)

static unsigned char *block, *part; /* @part: at a boundary of 2 MiB in it */

/* all of the block is 0xaa but [@at, @at + @len) from @part, which is @byte */
static void holds(size_t at, size_t len, unsigned char byte)
{
	size_t before = (size_t)(part - block) + at;

	MUST(case_all(block, before, 0xaa));
	MUST(case_all(part + at, len, byte));
	MUST(case_all(part + at + len, LEN - before - len, 0xaa));
}

static void refill(void)
{
	memset(block, 0xaa, LEN);
}

static void says(const char *what, long ret)
{
	printf("%s %ld %s\n", what, ret, ret < 0 ? strerror(errno) : "");
}

static void advise(const char *what, size_t at, size_t len, int advice,
		   unsigned char byte)
{
	says(what, madvise(part + at, len, advice));
	holds(at, len, byte);
	refill();
}

static void advice_that_needs_no_part(void)
{
	advise("dontneed, head", 0, PAGE, MADV_DONTNEED, 0);
	advise("dontneed, middle", 3 * PAGE, 5 * PAGE, MADV_DONTNEED, 0);
	advise("dontneed, tail", 2 * MIB - PAGE, PAGE, MADV_DONTNEED, 0);
	advise("dontneed, whole", 0, 2 * MIB, MADV_DONTNEED, 0);
	advise("dontneed, more", PAGE, 4 * MIB, MADV_DONTNEED, 0);
	advise("dontneed, unaligned", 1, PAGE, MADV_DONTNEED, 0xaa);
	advise("cold", PAGE, PAGE, MADV_COLD, 0xaa);
	advise("hugepage", PAGE, MIB, MADV_HUGEPAGE, 0xaa);
	advise("nohugepage", PAGE, MIB, MADV_NOHUGEPAGE, 0xaa);
	advise("random", PAGE, PAGE, MADV_RANDOM, 0xaa);
	advise("populate", PAGE, 3 * MIB, MADV_POPULATE_WRITE, 0xaa);
	says("free", madvise(part + PAGE, PAGE, MADV_FREE));
	refill();
	says("lock", mlock(part + PAGE, PAGE));
	says("unlock", munlock(part + PAGE, PAGE));
	holds(0, 0, 0);
}

/* the parent's bytes in the child but where it is wiped */
static void forked(size_t at, size_t len)
{
	pid_t pid = fork();
	int status;

	MUST(pid >= 0);
	if (pid == 0) {
		holds(at, len, 0);
		_exit(0);
	}
	MUST(waitpid(pid, &status, 0) == pid && status == 0);
	holds(0, 0, 0);
}

static void protection(void)
{
	says("read only", mprotect(part + PAGE, PAGE, PROT_READ));
	holds(0, 0, 0);
	says("none", mprotect(part + 2 * PAGE, PAGE, PROT_NONE));
	says("back", mprotect(part + PAGE, 2 * PAGE, RW));
	holds(0, 0, 0);
}

static void replacement(void)
{
	void *p = mmap(part + 64 * PAGE, PAGE, RW,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	says("map over", p == part + 64 * PAGE ? 0 : -1);
	holds(64 * PAGE, PAGE, 0);
	refill();
	says("unmap", munmap(part + 70 * PAGE, PAGE));
	p = mmap(part + 70 * PAGE, PAGE, RW,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	says("map there again", p == part + 70 * PAGE ? 0 : -1);
	holds(70 * PAGE, PAGE, 0);
	refill();
}

static void *room(void)
{
	char *p = mmap(NULL, 8 * MIB, RW, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	return (void *)(((uintptr_t)p + 2 * MIB) & -(2 * MIB));
}

static void fill_hole(size_t at, size_t len)
{
	MUST(mmap(part + at, len, RW, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		  -1, 0) != MAP_FAILED);
	holds(at, len, 0);
	refill();
}

static void moves(void)
{
	unsigned char *to = room();
	void *p = mremap(part + 4 * MIB, PAGE, PAGE,
			 MREMAP_MAYMOVE | MREMAP_FIXED, to);

	says("move the head away", p == to ? 0 : -1);
	MUST(case_all(to, PAGE, 0xaa) && case_all(to + PAGE, PAGE, 0));
	fill_hole(4 * MIB, PAGE);
	p = mremap(part + MIB, 3 * MIB, 3 * MIB, MREMAP_MAYMOVE | MREMAP_FIXED,
		   to + PAGE);
	says("move more away", p == to + PAGE ? 0 : -1);
	MUST(case_all(to + PAGE, 3 * MIB, 0xaa));
	fill_hole(MIB, 3 * MIB);
	memset(to, 0x55, PAGE);
	p = mremap(to, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
		   part + 6 * MIB);
	says("move onto it", p == part + 6 * MIB ? 0 : -1);
	holds(6 * MIB, PAGE, 0x55);
	refill();
}

static void *sleeps(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

/* the page as a whole would go with it: better refused */
static void no_neighbour_moves(void)
{
	unsigned char *to = room();
	void *p = mremap(part, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);

	if (p == MAP_FAILED)
		holds(0, 0, 0);
	else
		fill_hole(0, PAGE);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	MUST(posix_memalign((void **)&block, PAGE, LEN) == 0);
	part = (unsigned char *)(((uintptr_t)block + 2 * MIB) & -(2 * MIB));
	refill();
	if (argc > 1 && !strcmp(argv[1], "thread")) {
		MUST(pthread_create(&thread, NULL, sleeps, NULL) == 0);
		advice_that_needs_no_part();
		no_neighbour_moves();
		return 0;
	}
	advice_that_needs_no_part();
	says("wipe on fork", madvise(part + PAGE, PAGE, MADV_WIPEONFORK));
	forked(PAGE, PAGE);
	says("keep on fork", madvise(part + PAGE, PAGE, MADV_KEEPONFORK));
	forked(0, 0);
	refill();
	protection();
	replacement();
	moves();
	free(block);
	return 0;
}
