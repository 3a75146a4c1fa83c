/* SPDX-License-Identifier: MIT */
/*
 * case_release.c - takes 200 MiB in blocks of 20 kB, frees nine tenths of them
 * here and there, says so and sleeps until its input ends
 */
#include <unistd.h>
#include "tests/case.h"

#define BLOCK 20000
#define BLOCKS (200 * MIB / BLOCK)

int main(void)
{
	static char *blocks[BLOCKS];
	char end;

	for (size_t i = 0; i < BLOCKS; i++) {
		MUST((blocks[i] = malloc(BLOCK)));
		memset(blocks[i], 1, BLOCK);
	}
	for (size_t i = 0; i < BLOCKS; i++)
		if (i * 7919 % 10)
			free(blocks[i]);
	puts("freed");
	fflush(stdout);
	while (read(0, &end, 1) > 0)
		;
	return 0;
}
