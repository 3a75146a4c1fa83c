/* SPDX-License-Identifier: MIT */
/*
 * region.c - a region on the largest pages that can be had
 *
 * usage: region [MIB]
 *
 * Asks for 1 GiB pages, then slots from the hugetlb pool, then THP; touches
 * all of it with every CPU, and says what came of it.
 *
 *	cc region.c $(pkg-config --cflags --libs libhp)
 */
#include <hp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show_progress(size_t done, size_t total, void *arg)
{
	int *tenths = arg;
	int now = (int)(done * 10 / total);

	if (now == *tenths)
		return;
	*tenths = now;
	printf("prefault %d %%\n", now * 10);
}

static void show(const struct hp_region *region)
{
	size_t slots = hp_pages_needed(hp_region_len(region));
	struct hp_backing b;

	if (hp_backing_query(hp_region_addr(region), hp_region_len(region), &b))
		return;
	printf("%llu MiB present, %llu MiB huge, %llu MiB of it hugetlb",
	       (unsigned long long)b.present >> 20,
	       (unsigned long long)b.huge >> 20,
	       (unsigned long long)b.hugetlb >> 20);
	if (b.unknown)
		printf(", %llu MiB not known",
		       (unsigned long long)b.unknown >> 20);
	printf("\n");
	for (size_t i = 0; i < slots; i++) {
		const char *why = hp_reason_text(hp_region_reason(region, i));

		if (!why)
			continue;
		printf("slot %zu is not of the first kind asked for: %s\n", i,
		       why);
		break;
	}
}

int main(int argc, char **argv)
{
	size_t mib = argc > 1 ? strtoul(argv[1], NULL, 10) : 256;
	const size_t ladder[] = {(size_t)1 << 30, hp_slot_size(), HP_THP};
	int tenths = 0;
	struct hp_region_want want = {
		.ladder = ladder,
		.nladder = 3,
		.flags = HP_REGION_PREFAULT,
		.progress = show_progress,
		.progress_arg = &tenths,
	};
	struct hp_region *region;
	int err = hp_region_open(&region, mib << 20, &want);

	if (err) {
		fprintf(stderr, "region: %zu MiB: %s\n", mib, strerror(-err));
		return 1;
	}
	show(region);
	hp_region_close(region);
	return 0;
}
