/* SPDX-License-Identifier: MIT */
/* case_fill.c - fill MIB (default 64) of heap, read it back, print the sum */
#include "tests/case.h"

int main(int argc, char **argv)
{
	size_t mib = argc > 1 ? strtoul(argv[1], NULL, 10) : 64;
	size_t words = mib * MIB / sizeof(uint32_t);
	uint32_t *p = malloc(mib * MIB);
	uint64_t sum = 0;

	MUST(p);
	for (size_t i = 0; i < words; i++)
		p[i] = (uint32_t)i * 2654435761u;
	for (size_t i = 0; i < words; i++)
		sum += p[i];
	printf("%zu MiB, sum %llu\n", mib, (unsigned long long)sum);
	case_figure("huge_kb", case_huge_kb());
	free(p);
	return 0;
}
