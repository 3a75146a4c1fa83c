/* SPDX-License-Identifier: MIT */
/*
 * case_map_count.c - vm.max_map_count must not be used up: "maps" makes 70000
 * small mappings, "blocks" 40000 heap blocks with every second one freed
 */
#include <sys/mman.h>
#include "tests/case.h"

#define BLOCKS 40000
#define SIZE (200 * 1024)

static void *blocks[BLOCKS];

static void maps(void)
{
	long before = case_maps_lines();

	for (int i = 0; i < 70000; i++)
		MUST(mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
	case_figure("more_lines", case_maps_lines() - before);
}

static void heap(void)
{
	for (int i = 0; i < BLOCKS; i++)
		MUST((blocks[i] = case_keep(malloc(SIZE))));
	for (int i = 0; i < BLOCKS; i += 2)
		free(blocks[i]);
	case_figure("lines_half_freed", case_maps_lines());
	for (int i = 0; i < BLOCKS; i += 2)
		MUST((blocks[i] = case_keep(malloc(SIZE))));
	case_figure("lines", case_maps_lines());
	for (int i = 0; i < BLOCKS; i++)
		free(blocks[i]);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "maps"))
		maps();
	else
		heap();
	puts("ok");
	return 0;
}
