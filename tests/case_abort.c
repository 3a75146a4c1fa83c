/* SPDX-License-Identifier: MIT */
/* case_abort.c - 64 MiB of a known pattern, then a core dump */
#include "tests/case.h"

#define SIZE (64 * MIB)

int main(void)
{
	static const char text[17] = "HPCOREPATTERN016";
	char *p = malloc(SIZE);

	MUST(p);
	for (size_t i = 0; i < SIZE; i += 16)
		memcpy(p + i, text, 16);
	case_keep(p);
	case_figure("present_kb", case_present_kb());
	abort();
}
