/* SPDX-License-Identifier: MIT */
/*
 * case_pool_take.c - the neighbour: takes up to two pages of the default
 * hugetlb pool, says so, keeps giving one back and taking it again until its
 * standard input ends
 */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/case.h"

static char *take(size_t size)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	p[0] = 1;
	return p;
}

int main(void)
{
	size_t size =
		(size_t)case_field("/proc/meminfo", "Hugepagesize") * 1024;
	struct pollfd in = {.fd = 0, .events = POLLIN};
	char *keep = take(size), *swing = take(size);

	puts(keep && swing ? "taken" : "short");
	fflush(stdout);
	while (poll(&in, 1, 1) == 0) {
		if (swing)
			munmap(swing, size);
		usleep(200);
		swing = take(size);
	}
	return 0;
}
