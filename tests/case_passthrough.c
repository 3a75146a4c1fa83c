/* SPDX-License-Identifier: MIT */
/*
 * case_passthrough.c - mappings with a file, shared or asked huge by the
 * program keep their bytes, flags, lengths and errors
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/case.h"

#define RW (PROT_READ | PROT_WRITE)

static int small_file(const char *path)
{
	char bytes[5000];
	int fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);

	memset(bytes, 'f', sizeof(bytes));
	MUST(fd >= 0 && write(fd, bytes, sizeof(bytes)) == sizeof(bytes));
	return fd;
}

static char file_byte(int fd)
{
	char c = 0;

	MUST(pread(fd, &c, 1, 0) == 1);
	return c;
}

/* writes the first byte, checks that nobody advised or replaced the mapping */
static void use(char *p, size_t len, const char *what)
{
	char flags[256] = "";

	MUST(p != MAP_FAILED);
	p[0] = 'w';
	case_range_kb(p, len, "Rss", flags);
	MUST(!strstr(flags, " hg") && !strstr(flags, " ht"));
	MUST(!munmap(p, len));
	printf("%s ok\n", what);
}

static void files(int fd)
{
	int zero = open("/dev/zero", O_RDWR);
	int mem = memfd_create("case", 0);

	use(mmap(NULL, 5000, RW, MAP_PRIVATE, fd, 0), 5000, "private file");
	MUST(file_byte(fd) == 'f');
	use(mmap(NULL, 5000, RW, MAP_SHARED, fd, 0), 5000, "shared file");
	MUST(file_byte(fd) == 'w');
	MUST(mem >= 0 && !ftruncate(mem, 4 * MIB));
	use(mmap(NULL, 4 * MIB, RW, MAP_SHARED, mem, 0), 4 * MIB, "memfd");
	MUST(file_byte(mem) == 'w');
	use(mmap(NULL, 4 * MIB, RW, MAP_PRIVATE, zero, 0), 4 * MIB, "zero");
	use(mmap(NULL, 4 * MIB, RW, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 4 * MIB,
	    "shared anonymous");
	close(zero);
	close(mem);
}

/* the program's own MAP_HUGETLB meets the kernel's own answer */
static void own_hugetlb(void)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB;
	void *p = mmap(NULL, 64 * GIB, RW, flags, -1, 0);
	int err = errno;

	MUST(p == MAP_FAILED);
	MUST(syscall(SYS_mmap, NULL, 64 * GIB, RW, flags, -1, 0) == -1);
	MUST(err == errno);
	puts("own hugetlb ok");
}

/* the descriptor of an anonymous map is ignored */
static void anonymous_with_fd(int fd)
{
	char before = file_byte(fd);
	char *p = mmap(NULL, 4 * MIB, RW, MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);

	MUST(p != MAP_FAILED && case_all(p, 4 * MIB, 0));
	memset(p, 'a', 4 * MIB);
	MUST(file_byte(fd) == before && !munmap(p, 4 * MIB));
	puts("anonymous with fd ok");
}

int main(int argc, char **argv)
{
	int fd = small_file(argc > 1 ? argv[1] : "case_passthrough.tmp");

	files(fd);
	own_hugetlb();
	anonymous_with_fd(fd);
	close(fd);
	return 0;
}
