/* SPDX-License-Identifier: MIT */
/*
 * case_pool_back.c - nine tenths of the heap are freed, in pieces of some
 * pages, so that nearly every 2 MiB keep a few blocks; these keep their bytes.
 * Figures: pool pages free when all was in use, and then.
 */
#include <unistd.h>
#include "tests/case.h"

#define BLOCKS 1500000
#define SIZE 64
#define TOGETHER 512 /* blocks freed side by side: eight pages */

static char *blocks[BLOCKS];

static void take(int i)
{
	MUST((blocks[i] = malloc(SIZE)));
	memset(blocks[i], i, SIZE);
}

static int stays(int i)
{
	return (unsigned int)(i / TOGETHER) * 2654435761u % 10 == 0;
}

static void check(void)
{
	for (int i = 0; i < BLOCKS; i++)
		MUST(!blocks[i] || case_all(blocks[i], SIZE, (unsigned char)i));
}

/* the bound is looked at when memory comes back */
static void come_by(void)
{
	usleep(100000);
	for (int i = 0; i < 200; i++)
		free(case_keep(malloc(3 * MIB)));
}

static long pool_free(void)
{
	return case_field("/proc/meminfo", "HugePages_Free");
}

int main(void)
{
	for (int i = 0; i < BLOCKS; i++)
		take(i);
	case_figure("free_full", pool_free());
	for (int i = 0; i < BLOCKS; i++)
		if (!stays(i)) {
			free(blocks[i]);
			blocks[i] = NULL;
		}
	come_by();
	case_figure("free_sparse", pool_free());
	check();
	for (int i = 0; i < BLOCKS; i++)
		if (!blocks[i])
			take(i);
	check();
	puts("ok");
	return 0;
}
