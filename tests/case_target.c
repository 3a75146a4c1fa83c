/* SPDX-License-Identifier: MIT */
/*
 * case_target SLOTS [SPARSE [REFUSED]] - a process for others to look at
 *
 * Fills SLOTS slots with small pages, without any advice, touches one page of
 * each of SPARSE, and fills REFUSED slots under MADV_NOHUGEPAGE. Prints
 * "ready", then changes and checks its memory until its input ends, and says
 * "intact".
 */
#include <poll.h>
#include <sys/mman.h>

#include "tests/case.h"

#define ALL (PROT_READ | PROT_WRITE)

static size_t slot_size(void)
{
	long size = 2 * (long)MIB;
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
			"r");

	if (f) {
		MUST(fscanf(f, "%ld", &size) == 1);
		fclose(f);
	}
	return (size_t)size;
}

static unsigned char *reserve(size_t slot, size_t n)
{
	unsigned char *p = mmap(NULL, (n + 1) * slot, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	return p + (-(uintptr_t)p & (slot - 1));
}

/*
 * @n slots, a byte of every page @step bytes apart set. A slot is first touched
 * while half of it is no memory yet, so that it is small whatever THP is set
 * to.
 */
static unsigned char *fill(size_t slot, size_t n, size_t step)
{
	unsigned char *p = reserve(slot, n);

	for (size_t i = 0; i < n; i++) {
		MUST(!mprotect(p, i * slot + slot / 2, ALL));
		p[i * slot] = 1;
	}
	MUST(n == 0 || !mprotect(p, n * slot, ALL));
	for (size_t i = 0; i < n * slot; i += step)
		p[i] = (unsigned char)(i >> 12);
	return p;
}

static size_t count(int argc, char **argv, int i)
{
	return i < argc ? strtoul(argv[i], NULL, 10) : 0;
}

static int input_ended(void)
{
	struct pollfd in = {.fd = 0, .events = POLLIN};

	return poll(&in, 1, 1) != 0;
}

int main(int argc, char **argv)
{
	size_t slot = slot_size(), n = count(argc, argv, 1);
	size_t sparse = count(argc, argv, 2), refused = count(argc, argv, 3);
	unsigned char *p = fill(slot, n, 4096), round = 0;
	unsigned char *never = fill(slot, refused, 4096);

	fill(slot, sparse, slot);
	MUST(!refused || !madvise(never, refused * slot, MADV_NOHUGEPAGE));
	puts("ready");
	fflush(stdout);
	while (!input_ended()) {
		for (size_t i = 0; i < n * slot; i += 4096)
			MUST(p[i]++ == (unsigned char)((i >> 12) + round));
		round++;
	}
	puts("intact");
	return 0;
}
