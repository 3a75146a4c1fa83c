/* SPDX-License-Identifier: MIT */
/*
 * loops [SCALE] - malloc's paths one at a time, ns or us for each operation
 *
 * pair      malloc and free of 64 bytes: the fast path
 * replace   random slots of 4096 get new blocks of 16 to 1040 bytes
 * large     blocks of 1 to 8 MiB, written, 16 alive
 * grow      one block from 64 bytes to 64 MiB by realloc, written
 *
 * Each is the best of seven passes, since noise only ever adds. Build with
 * -fno-builtin, or gcc removes the pairs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define PASSES 7
#define SLOTS 4096
#define ALIVE 16
#define PAGE 4096

static void *slots[SLOTS];

static void *need(void *block)
{
	if (!block)
		exit(1);
	return block;
}

static void pair(long n)
{
	while (n--) {
		void *block = malloc(64);

		KEEP(block);
		free(block);
	}
}

static void replace(long n)
{
	while (n--) {
		uint64_t r = next_random();
		size_t i = r % SLOTS;

		free(slots[i]);
		slots[i] = need(malloc(16 + (r >> 12) % 1025));
	}
}

static void write_pages(char *block, size_t from, size_t to)
{
	for (size_t at = from; at < to; at += PAGE)
		block[at] = 1;
}

static void large(long n)
{
	while (n--) {
		uint64_t r = next_random();
		size_t i = r % ALIVE,
		       size = ((size_t)1 << 20) + (r >> 8) % (7 << 20);

		free(slots[i]);
		slots[i] = need(malloc(size));
		write_pages(slots[i], 0, size);
	}
}

static void grow(long n)
{
	while (n--) {
		char *block = NULL;
		size_t had = 0;

		for (size_t size = 64; size <= (size_t)64 << 20; size *= 2) {
			block = need(realloc(block, size));
			write_pages(block, had, size);
			had = size;
		}
		free(block);
	}
}

static const struct {
	const char *name;
	void (*run)(long n);
	long n;
	double unit; /* in ns */
} loops[] = {
	{"pair_ns", pair, 5000000, 1},
	{"replace_ns", replace, 5000000, 1},
	{"large_us", large, 200, 1e3},
	{"grow_us", grow, 4, 1e3},
};

static double best(void (*run)(long n), long n)
{
	double least = 0;

	for (int pass = 0; pass < PASSES; pass++) {
		double start = now_ns(), took;

		run(n);
		took = (now_ns() - start) / (double)n;
		if (pass == 0 || took < least)
			least = took;
	}
	return least;
}

static void empty_slots(void)
{
	for (size_t i = 0; i < SLOTS; i++) {
		free(slots[i]);
		slots[i] = NULL;
	}
}

int main(int argc, char **argv)
{
	long divide = argc > 1 ? strtol(argv[1], NULL, 10) : 1;

	for (size_t i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		long n = loops[i].n / (divide > 0 ? divide : 1);

		printf("%s %.3f\n", loops[i].name,
		       best(loops[i].run, n > 0 ? n : 1) / loops[i].unit);
		empty_slots();
	}
	return 0;
}
