/* SPDX-License-Identifier: MIT */
/*
 * allocate.c - some data on a heap of huge pages, the rest with malloc
 *
 * A table that is looked up at random goes to hp_malloc(); what is small and
 * short-lived stays with libc. Both heaps live side by side.
 *
 *	cc allocate.c $(pkg-config --cflags --libs libhp-malloc)
 */
#include <hp.h>
#include <hp_malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 400000

struct entry {
	uint64_t key;
	char *name;
};

static int fill(struct entry *table)
{
	char name[32];

	for (uint64_t i = 0; i < ENTRIES; i++) {
		int len = snprintf(name, sizeof(name), "entry %llu",
				   (unsigned long long)i);

		table[i].key = i * 2654435761u;
		table[i].name = hp_malloc((size_t)len + 1);
		if (!table[i].name)
			return -1;
		memcpy(table[i].name, name, (size_t)len + 1);
	}
	return 0;
}

static void empty(struct entry *table)
{
	for (size_t i = 0; i < ENTRIES; i++)
		hp_free(table[i].name);
}

int main(void)
{
	struct entry *table = hp_calloc(ENTRIES, sizeof(*table));
	char *scratch = malloc(100); /* libc's, to be given to free() */
	struct hp_stats stats;

	if (!table || !scratch || fill(table)) {
		fprintf(stderr, "allocate: out of memory\n");
		return 1;
	}
	snprintf(scratch, 100, "%s .. %s", table[0].name,
		 table[ENTRIES - 1].name);
	printf("%s, %zu bytes usable of the table\n", scratch,
	       hp_usable_size(table));
	if (hp_stats_read(&stats) == 0 &&
	    stats.heap.present != HP_BYTES_UNKNOWN)
		printf("heap: %llu KiB present, %llu KiB of it huge\n",
		       (unsigned long long)stats.heap.present >> 10,
		       (unsigned long long)stats.heap.huge >> 10);
	empty(table);
	hp_free(table);
	free(scratch);
	hp_malloc_trim();
	return 0;
}
