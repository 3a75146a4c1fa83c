/* SPDX-License-Identifier: MIT */
/*
 * case_atfork.c - a library whose fork handlers take and give back memory
 *
 * They are registered by its constructor, which takes none, so before whoever
 * registers at the first malloc. What the first of the handlers wrote both
 * sides of the fork must see.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include "tests/case.h"

enum { BLOCKS = 64, MAP = 256 << 10 };

static char *blocks[BLOCKS];
static char *map;
static int calls;

static size_t size_of(int i)
{
	return i ? (size_t)i * i * 100 : 3 * MIB;
}

static void take(void)
{
	calls++;
	for (int i = 0; i < BLOCKS; i++) {
		MUST((blocks[i] = malloc(size_of(i) + 1)));
		memset(blocks[i], calls, size_of(i));
	}
	map = mmap(NULL, MAP, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	MUST(map != MAP_FAILED);
	memset(map, calls, MAP);
}

static void give(void)
{
	unsigned char value = (unsigned char)calls;

	for (int i = 0; i < BLOCKS; i++) {
		MUST(case_all(blocks[i], size_of(i), value));
		free(blocks[i]);
	}
	MUST(case_all(map, MAP, value));
	MUST(!munmap(map, MAP));
}

__attribute__((constructor)) static void begin(void)
{
	MUST(!pthread_atfork(take, give, give));
}

__attribute__((destructor)) static void end(void)
{
	char line[] = "handled 000\n";

	for (int i = 10, n = calls; n; n /= 10)
		line[i--] = (char)('0' + n % 10);
	MUST(write(STDOUT_FILENO, line, sizeof(line) - 1) > 0);
}
