/* SPDX-License-Identifier: MIT */
/*
 * case_big.c - the blocks that profit most: "one MIB" fills a single block,
 * "grow MIB" doubles a block by realloc from 4 bytes, checking what it held
 */
#include "tests/case.h"

static void one(size_t len)
{
	char *p = malloc(len);

	MUST(p);
	memset(p, 1, len);
	case_figure("huge_kb", case_huge_kb());
	MUST(case_all(p, len, 1));
	free(p);
}

static void grow(size_t last)
{
	unsigned char *p = malloc(4);
	size_t len = 4;

	MUST(p);
	memset(p, 1, len);
	for (unsigned char tag = 2; len < last; tag++) {
		p = realloc(p, 2 * len);
		MUST(p && p[0] == 1 && case_all(p + len / 2, len / 2, tag - 1));
		memset(p + len, tag, len);
		len *= 2;
	}
	case_figure("peak_kb", case_field("/proc/self/status", "VmHWM"));
	case_figure("huge_kb", case_huge_kb());
	free(p);
}

int main(int argc, char **argv)
{
	size_t len;

	MUST(argc > 2);
	len = strtoul(argv[2], NULL, 10) * MIB;
	if (!strcmp(argv[1], "one"))
		one(len);
	else
		grow(len);
	puts("ok");
	return 0;
}
