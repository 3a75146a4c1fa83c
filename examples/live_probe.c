/* SPDX-License-Identifier: MIT */
/*
 * live_probe.c - what does a load from my own data cost, and what would it cost
 * on small pages?
 *
 *	cc live_probe.c -o live_probe $(pkg-config --cflags --libs libhp)
 *	./live_probe [MIB]
 */
#include <hp.h>
#include <hp_probe.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const char *what, const struct hp_probe_interval *is)
{
	if (isnan(is->value))
		printf("%-28s not known\n", what);
	else
		printf("%-28s %6.1f ns [%.1f %.1f]\n", what, is->value, is->lo,
		       is->hi);
}

int main(int argc, char **argv)
{
	size_t mib = argc > 1 ? strtoull(argv[1], NULL, 10) : 128;
	struct hp_probe_live live;
	struct hp_region *region;
	int err = hp_region_open(&region, mib << 20, NULL);

	if (err) {
		fprintf(stderr, "%zu MiB: %s\n", mib, strerror(-err));
		return EXIT_FAILURE;
	}
	memset(hp_region_addr(region), 1, hp_region_len(region));
	err = hp_probe_live(hp_region_addr(region), hp_region_len(region), NULL,
			    &live);
	if (err) {
		fprintf(stderr, "hp_probe_live: %s\n", strerror(-err));
		return EXIT_FAILURE;
	}
	print("a load here costs", &live.ns);
	print("of it translation, at least", &live.translation);
	print("the load on small pages", &live.small);
	if (live.reason[0])
		printf("(%s)\n", live.reason);
	hp_region_close(region);
	return EXIT_SUCCESS;
}
