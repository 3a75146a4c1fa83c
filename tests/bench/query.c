/* SPDX-License-Identifier: MIT */
/*
 * query MIB - what asking the kernel costs, on huge and on small pages
 *
 * us for one hp_backing_query() of MIB, beside one read of smaps_rollup, which
 * is what a person would look at.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"
#include "libhp/hp.h"

#define SAMPLES 15

static char *map(size_t len, int advice)
{
	size_t slot = hp_slot_size();
	char *at = mmap(NULL, len + slot, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		exit(1);
	at = (char *)(((uintptr_t)at + slot - 1) & ~(slot - 1));
	madvise(at, len, advice);
	memset(at, 1, len);
	return at;
}

static double ask_us(const char *at, size_t len, struct hp_backing *backing)
{
	double sample[SAMPLES];

	for (int i = 0; i < SAMPLES; i++) {
		double start = now_ns();

		if (hp_backing_query(at, len, backing))
			exit(1);
		sample[i] = (now_ns() - start) / 1e3;
	}
	return median(sample, SAMPLES);
}

static double rollup_us(void)
{
	double sample[SAMPLES];
	char text[4096];

	for (int i = 0; i < SAMPLES; i++) {
		double start = now_ns();
		int fd = open("/proc/self/smaps_rollup", O_RDONLY);

		if (fd < 0 || read(fd, text, sizeof(text)) < 0)
			return -1;
		close(fd);
		sample[i] = (now_ns() - start) / 1e3;
	}
	return median(sample, SAMPLES);
}

static void measure(const char *name, size_t len, int advice)
{
	char *at = map(len, advice);
	struct hp_backing backing;
	double us = ask_us(at, len, &backing);

	printf("%s_us %.1f\n", name, us);
	printf("%s_rollup_us %.1f\n", name, rollup_us());
	printf("%s_coverage %.4f\n", name,
	       (double)backing.huge / (double)backing.present);
	munmap(at, len);
}

int main(int argc, char **argv)
{
	size_t len = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1024) << 20;

	if (len == 0) {
		fputs("usage: query MIB\n", stderr);
		return 2;
	}
	measure("thp", len, MADV_HUGEPAGE);
	measure("small", len, MADV_NOHUGEPAGE);
	return 0;
}
