/* SPDX-License-Identifier: MIT */
/* case_until_null.c - allocate and touch 1 MiB blocks until malloc says no */
#include "tests/case.h"

int main(void)
{
	long blocks = 0;
	char *p;

	for (errno = 0; (p = case_keep(malloc(MIB))) != NULL; blocks++)
		memset(p, 1, MIB);
	MUST(errno == ENOMEM);
	case_figure("blocks", blocks);
	/* the heap still serves what fits */
	MUST(case_keep(malloc(100)));
	puts("ended with ENOMEM");
	return 0;
}
