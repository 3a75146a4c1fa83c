/* SPDX-License-Identifier: MIT */
/*
 * case.h - what the case_*.c programs share: a loud check and looks into
 * /proc/self
 *
 * A case program prints to stdout only what does not depend on the allocator,
 * so that a run under the preload can be compared with a plain one byte for
 * byte. Figures for the driver go to stderr as "name value" lines.
 */
#ifndef CASE_H
#define CASE_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

#define MUST(cond)                                                             \
	do {                                                                   \
		if (!(cond)) {                                                 \
			fprintf(stderr, "%s:%d: not so: %s (errno %d)\n",      \
				__FILE__, __LINE__, #cond, errno);             \
			exit(1);                                               \
		}                                                              \
	} while (0)

/* compilers drop an allocation nobody looks at, and its free with it */
static inline void *case_keep(void *p)
{
	__asm__ volatile("" : "+r"(p) : : "memory");
	return p;
}

static inline void case_figure(const char *name, long value)
{
	fprintf(stderr, "%s %ld\n", name, value);
}

/* the number after "@field:" in a /proc text file, -1 when it is not there */
static inline long case_field(const char *path, const char *field)
{
	char line[512];
	size_t n = strlen(field);
	long value = -1;
	FILE *f = fopen(path, "r");

	while (f && value < 0 && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, n) && line[n] == ':')
			value = strtol(line + n + 1, NULL, 10);
	if (f)
		fclose(f);
	return value;
}

/* kB with a huge mapping in the whole process; -1 when the kernel hides it */
static inline long case_huge_kb(void)
{
	long thp = case_field("/proc/self/smaps_rollup", "AnonHugePages");
	long tlb = case_field("/proc/self/smaps_rollup", "Private_Hugetlb");

	return thp < 0 ? -1 : thp + (tlb < 0 ? 0 : tlb);
}

/* resident kB, hugetlb included: smaps_rollup keeps it out of Rss */
static inline long case_present_kb(void)
{
	long rss = case_field("/proc/self/smaps_rollup", "Rss");
	long tlb = case_field("/proc/self/smaps_rollup", "Private_Hugetlb");

	return rss < 0 ? -1 : rss + (tlb < 0 ? 0 : tlb);
}

/*
 * The sum of @field (kB) over all mappings that overlap [addr, addr + len).
 * With @flags it receives the VmFlags text of the last of them.
 */
static inline long case_range_kb(const void *addr, size_t len,
				 const char *field, char flags[256])
{
	char line[512];
	unsigned long lo, hi, from = (unsigned long)addr, to = from + len;
	size_t n = strlen(field);
	int inside = 0;
	long sum = 0;
	FILE *f = fopen("/proc/self/smaps", "r");

	MUST(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx ", &lo, &hi) == 2)
			inside = lo < to && hi > from;
		else if (inside && !strncmp(line, field, n) && line[n] == ':')
			sum += strtol(line + n + 1, NULL, 10);
		else if (inside && flags && !strncmp(line, "VmFlags:", 8))
			snprintf(flags, 256, "%.255s", line + 8);
	}
	fclose(f);
	return sum;
}

static inline long case_maps_lines(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	long lines = 0;
	int c;

	MUST(f);
	while ((c = getc(f)) != EOF)
		lines += c == '\n';
	fclose(f);
	return lines;
}

static inline int case_all(const void *p, size_t len, unsigned char value)
{
	const unsigned char *b = p;

	return !len || (b[0] == value && !memcmp(b, b + 1, len - 1));
}

#endif
