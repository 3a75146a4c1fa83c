/* SPDX-License-Identifier: MIT */
/* case_leak.c - loses 100 bytes, for a leak checker to find */
#include "tests/case.h"

static void lose(size_t n)
{
	char *p = case_keep(malloc(n));

	MUST(p);
	memset(p, 1, n);
}

int main(void)
{
	lose(100);
	puts("done");
	return 0;
}
