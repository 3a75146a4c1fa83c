/* SPDX-License-Identifier: MIT */
/*
 * case_pool_short.c - more heap than the pool holds, freed in part and taken
 * again while others take pool pages; every byte is checked
 */
#include "tests/case.h"

#define BLOCKS 64

static unsigned char *blocks[BLOCKS];

static void fill(int i)
{
	blocks[i] = malloc(MIB);
	MUST(blocks[i]);
	memset(blocks[i], i + 1, MIB);
}

static void check_all(void)
{
	for (int i = 0; i < BLOCKS; i++)
		MUST(case_all(blocks[i], MIB, (unsigned char)(i + 1)));
}

int main(void)
{
	for (int i = 0; i < BLOCKS; i++)
		fill(i);
	for (int round = 0; round < 50; round++) {
		for (int i = round & 1; i < BLOCKS; i += 2)
			free(blocks[i]);
		for (int i = round & 1; i < BLOCKS; i += 2)
			fill(i);
		check_all();
	}
	case_figure("hugetlb_kb",
		    case_field("/proc/self/smaps_rollup", "Private_Hugetlb"));
	puts("ok");
	return 0;
}
