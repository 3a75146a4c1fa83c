/* SPDX-License-Identifier: MIT */
/*
 * case_refused.c - memory the program wants no huge pages for stays so, in
 * part, when it grows, and when much is allocated later
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <sys/mman.h>

#include "tests/case.h"

static const size_t sizes[] = {64 << 10, 256 << 10, MIB,	   2 * MIB,
			       4 * MIB,	 16 * MIB,  5 * MIB + 4096};

struct seen {
	uintptr_t start, end; /* of what is looked at */
	uintptr_t low, high;  /* of the mapping at hand */
	unsigned long huge_kb;
	size_t refused;
};

static void take_line(struct seen *s, const char *line)
{
	unsigned long low, high;
	bool inside;

	if (sscanf(line, "%lx-%lx ", &low, &high) == 2) {
		s->low = low > s->start ? low : s->start;
		s->high = high < s->end ? high : s->end;
	}
	inside = s->low < s->high;
	if (inside && !strncmp(line, "AnonHugePages:", 14))
		s->huge_kb += strtoul(line + 14, NULL, 10);
	if (inside && !strncmp(line, "VmFlags:", 8) && strstr(line, " nh"))
		s->refused += s->high - s->low;
}

static void show(const char *when, const char *p, size_t len)
{
	struct seen s = {.start = (uintptr_t)p, .end = (uintptr_t)p + len};
	FILE *f = fopen("/proc/self/smaps", "re");
	char line[512];

	MUST(f);
	while (fgets(line, sizeof(line), f))
		take_line(&s, line);
	fclose(f);
	printf("%s %zu: %zu refused%s\n", when, len, s.refused,
	       s.refused == len && s.huge_kb ? ", but huge" : "");
}

static void grow(size_t len)
{
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *later;

	MUST(p != MAP_FAILED && !madvise(p, len, MADV_NOHUGEPAGE));
	memset(p, 1, len);
	show("whole", p, len);
	p = mremap(p, len, 2 * len, MREMAP_MAYMOVE);
	MUST(p != MAP_FAILED);
	memset(p, 1, 2 * len);
	show("grown", p, 2 * len);
	p = mremap(p, 2 * len, 4 * len, MREMAP_MAYMOVE);
	MUST(p != MAP_FAILED);
	later = malloc(24 * MIB);
	MUST(later);
	memset(later, 1, 24 * MIB);
	free(later);
	memset(p, 1, 4 * len);
	show("later", p, 4 * len);
	MUST(!munmap(p, 4 * len));
}

static void refuse_part(size_t len)
{
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t at = len / 8192 * 4096;

	MUST(p != MAP_FAILED && !madvise(p + at, len / 4, MADV_NOHUGEPAGE));
	memset(p, 1, len);
	show("part", p, len);
	MUST(!munmap(p, len));
}

int main(void)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		grow(sizes[i]);
		refuse_part(sizes[i]);
	}
	return 0;
}
