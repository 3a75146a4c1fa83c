/* SPDX-License-Identifier: MIT */
/*
 * backing.c - what the kernel maps a piece of memory with, before and after
 *
 * The three numbers of a backing, for memory that is untouched, touched,
 * promoted, and then split by an mprotect() of one page.
 *
 *	cc backing.c $(pkg-config --cflags --libs libhp)
 */
#include <hp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 8

static void show(const char *when, const void *p, size_t len)
{
	static const char *const sources[] = {
		[HP_SOURCE_NONE] = "nobody",
		[HP_SOURCE_PAGEMAP_SCAN] = "PAGEMAP_SCAN",
		[HP_SOURCE_SMAPS] = "smaps",
	};
	struct hp_backing b;

	if (hp_backing_query(p, len, &b))
		return;
	printf("%-10s huge %5llu KiB, present %5llu KiB, unknown %llu KiB "
	       "(%s)\n",
	       when, (unsigned long long)b.huge >> 10,
	       (unsigned long long)b.present >> 10,
	       (unsigned long long)b.unknown >> 10, sources[b.source]);
}

int main(void)
{
	size_t slot = hp_slot_size(), len = SLOTS * slot;
	char *p = aligned_alloc(slot, len);
	long huge;

	if (!p) {
		fprintf(stderr, "backing: out of memory\n");
		return 1;
	}
	/* small pages first, whatever the mode of THP is */
	madvise(p, len, MADV_NOHUGEPAGE);
	show("untouched", p, len);
	memset(p, 1, len);
	show("touched", p, len);

	huge = hp_promote(p, len);
	if (huge < 0)
		printf("promotion: %s\n", strerror((int)-huge));
	else
		printf("promotion: %ld of %d slots are huge\n", huge, SLOTS);
	show("promoted", p, len);

	/* the folio stays whole, but one entry cannot map it any more */
	mprotect(p, (size_t)sysconf(_SC_PAGESIZE), PROT_READ);
	show("split", p, len);
	printf("a guest could map %ld blocks of it\n",
	       hp_guest_blocks(p, 0, len));

	mprotect(p, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE);
	free(p);
	return 0;
}
