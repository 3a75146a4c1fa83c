/* SPDX-License-Identifier: MIT */
/*
 * prefault MIB - hp_region_open() with prefault by one and by two threads
 *
 * Both in turn in one process, so that each finds memory the guest just freed;
 * ms for each, and the share of the last region that was huge.
 */
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "libhp/hp.h"

#define ROUNDS 5

static double open_ms(size_t len, unsigned int threads, double *coverage)
{
	struct hp_region_want want = {
		.flags = HP_REGION_PREFAULT,
		.threads = threads,
	};
	struct hp_region *region;
	struct hp_backing backing;
	double start = now_ns(), took;

	if (hp_region_open(&region, len, &want))
		exit(1);
	took = (now_ns() - start) / 1e6;
	if (hp_backing_query(hp_region_addr(region), len, &backing))
		exit(1);
	*coverage = (double)backing.huge / (double)len;
	hp_region_close(region);
	return took;
}

int main(int argc, char **argv)
{
	size_t len = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1024) << 20;
	double one[ROUNDS], two[ROUNDS], coverage = 0;

	if (len == 0) {
		fputs("usage: prefault MIB\n", stderr);
		return 2;
	}
	for (int i = 0; i < ROUNDS; i++) {
		one[i] = open_ms(len, 1, &coverage);
		two[i] = open_ms(len, 2, &coverage);
	}
	printf("one_ms %.1f\n", median(one, ROUNDS));
	printf("two_ms %.1f\n", median(two, ROUNDS));
	printf("coverage %.4f\n", coverage);
	return 0;
}
