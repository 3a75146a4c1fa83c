/* SPDX-License-Identifier: MIT */
/* prints the bytes present and huge of 4 MiB touched without advice */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "libhp/hp.h"

int main(void)
{
	size_t len = 2 * hp_slot_size();
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct hp_backing b;

	if (p == MAP_FAILED)
		return 1;
	memset(p, 1, len);
	if (hp_backing_query(p, len, &b))
		return 1;
	printf("%llu %llu\n", (unsigned long long)b.present,
	       (unsigned long long)b.huge);
	return b.unknown != 0;
}
