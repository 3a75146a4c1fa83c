/* SPDX-License-Identifier: MIT */
/*
 * case_userfaultfd.c - a program handles faults of its own memory, and of that
 * only. "block": of a large block of the heap; "maps": of small mappings that
 * others follow; "fresh": each page of a new mapping is missing, though its
 * neighbours are in use; "filled": the same, filled before it is touched.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/case.h"

#define PAGE ((size_t)4096)
#define SMALL (128 << 10)

static int uffd;

static void faulted(int sig)
{
	static const char text[] = "a page nobody registered is missing\n";

	(void)sig;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(1);
}

/* a fault that nobody handles is SIGBUS; 77: not ours to use */
static void open_uffd(void)
{
	struct uffdio_api api = {.api = UFFD_API,
				 .features = UFFD_FEATURE_SIGBUS};

	uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);
	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api))
		exit(77);
	signal(SIGBUS, faulted);
}

static void watch(void *p, size_t len)
{
	struct uffdio_register range = {
		.range = {(unsigned long)p, len},
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	MUST(!ioctl(uffd, UFFDIO_REGISTER, &range));
}

static char *map(size_t len)
{
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	return p;
}

static void block(void)
{
	void *p;

	MUST(!posix_memalign(&p, 2 * MIB, 8 * MIB));
	open_uffd();
	watch(p, 8 * MIB);
	for (int i = 0; i < 60; i++)
		memset(case_keep(malloc(MIB)), 1, MIB);
}

/* two that fill a slot, and then the slots that come */
static void maps(void)
{
	char *p[2] = {map(MIB), map(MIB)};

	open_uffd();
	watch(p[0], MIB);
	watch(p[1], MIB);
	for (int i = 0; i < 60; i++)
		memset(map(SMALL), 1, SMALL);
}

static char *watch_fresh(void)
{
	char *p;

	memset(map(SMALL), 1, SMALL);
	open_uffd();
	p = map(SMALL);
	watch(p, SMALL);
	return p;
}

/* a system call finds the page missing, and not the program */
static void fresh(void)
{
	char *p = watch_fresh();
	int null = open("/dev/zero", O_RDONLY);

	MUST(null >= 0);
	for (size_t at = 0; at < SMALL; at += PAGE)
		MUST(read(null, p + at, 1) < 0 && errno == EFAULT);
}

static void filled(void)
{
	char *p = watch_fresh();
	static char from[PAGE];

	for (size_t at = 0; at < SMALL; at += PAGE) {
		struct uffdio_copy copy = {.dst = (unsigned long)(p + at),
					   .src = (unsigned long)from,
					   .len = PAGE};

		memset(from, (int)(at / PAGE) + 1, PAGE);
		MUST(!ioctl(uffd, UFFDIO_COPY, &copy));
	}
	for (size_t at = 0; at < SMALL; at += PAGE)
		MUST(case_all(p + at, PAGE, (unsigned char)(at / PAGE + 1)));
}

int main(int argc, char **argv)
{
	MUST(argc > 1 && sysconf(_SC_PAGESIZE) == (long)PAGE);
	if (!strcmp(argv[1], "block"))
		block();
	else if (!strcmp(argv[1], "maps"))
		maps();
	else if (!strcmp(argv[1], "fresh"))
		fresh();
	else
		filled();
	puts("ok");
	return 0;
}
