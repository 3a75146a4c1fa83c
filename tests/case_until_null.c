/* SPDX-License-Identifier: MIT */
/*
 * case_until_null.c - allocate and touch 1 MiB blocks until malloc says no;
 * "maps KIB": mappings of so many KiB until mmap does
 */
#include <sys/mman.h>
#include "tests/case.h"

static void maps(size_t len)
{
	long n = 0;
	char *p;

	while ((p = mmap(NULL, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) != MAP_FAILED) {
		memset(p, 1, len);
		n++;
	}
	MUST(errno == ENOMEM);
	case_figure("maps", n * (long)len / 1024);
	case_figure("present_kb", case_present_kb());
}

int main(int argc, char **argv)
{
	long blocks = 0;
	char *p;

	if (argc == 3 && !strcmp(argv[1], "maps")) {
		maps(strtoul(argv[2], NULL, 10) * 1024);
		return 0;
	}
	for (errno = 0; (p = case_keep(malloc(MIB))) != NULL; blocks++)
		memset(p, 1, MIB);
	MUST(errno == ENOMEM);
	case_figure("blocks", blocks);
	/* the heap still serves what fits */
	MUST(case_keep(malloc(100)));
	puts("ended with ENOMEM");
	return 0;
}
