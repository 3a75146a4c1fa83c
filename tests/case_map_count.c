/* SPDX-License-Identifier: MIT */
/*
 * case_map_count.c - vm.max_map_count must not be used up: "maps" makes 70000
 * small mappings, "large KIB" as many large ones, "blocks" 40000 heap blocks
 * with every second one freed; "protect", "again", "fixed" use and give back
 * every second piece of a reservation, by mprotect, MAP_FIXED or both, "unused"
 * or "used" before
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <sys/mman.h>
#include "tests/case.h"

#define BLOCKS 40000
#define SIZE (200 * 1024)
#define PIECE (64 * 1024)
#define ANON (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)
#define RW (PROT_READ | PROT_WRITE)

static void *blocks[BLOCKS];

static void maps(size_t len)
{
	long before = case_maps_lines();

	for (int i = 0; i < 70000; i++)
		MUST(mmap(NULL, len, RW, ANON, -1, 0) != MAP_FAILED);
	case_figure("more_lines", case_maps_lines() - before);
}

static void fix(char *p, int prot)
{
	MUST(mmap(p, PIECE, prot, ANON | MAP_FIXED, -1, 0) == p);
}

static void use(char *p, const char *how)
{
	if (!strcmp(how, "fixed"))
		fix(p, RW);
	else
		MUST(!mprotect(p, PIECE, RW));
}

static void give_back(char *p, const char *how)
{
	MUST(!madvise(p, PIECE, MADV_DONTNEED));
	if (strcmp(how, "protect"))
		fix(p, PROT_NONE);
	else
		MUST(!mprotect(p, PIECE, PROT_NONE));
}

/* at first every piece is in use or none is */
static void pieces(const char *how, bool used)
{
	size_t len = 2L * BLOCKS * PIECE;
	long before = case_maps_lines();
	char *p = mmap(NULL, len, PROT_NONE, ANON, -1, 0);

	MUST(p != MAP_FAILED);
	if (used)
		MUST(!mprotect(p, len, RW));
	for (size_t at = 0; at < len; at += 2 * PIECE) {
		if (used)
			give_back(p + at, how);
		use(p + at, how);
		if (!used)
			give_back(p + at, how);
	}
	case_figure("more_lines", case_maps_lines() - before);
	MUST(!munmap(p, len));
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
		maps(4096);
	else if (argc > 2 && !strcmp(argv[1], "large"))
		maps(strtoul(argv[2], NULL, 10) * 1024);
	else if (argc > 2)
		pieces(argv[1], !strcmp(argv[2], "used"));
	else
		heap();
	puts("ok");
	return 0;
}
