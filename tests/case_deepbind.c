/* SPDX-License-Identifier: MIT */
/*
 * case_deepbind.c - blocks of libc's own malloc reach the replaced free,
 * realloc and malloc_usable_size
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include "tests/case.h"

static void hand_over(void *(*alloc)(size_t), size_t n)
{
	unsigned char *p = alloc(n), *q;

	MUST(p && malloc_usable_size(p) >= n);
	q = realloc(p, 3 * n);
	MUST(q && case_all(q, n, 0x5a));
	free(q);
	errno = 2;
	free(alloc(n));
	MUST(errno == 2);
}

int main(int argc, char **argv)
{
	void *h = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND) : NULL;
	void *(*alloc)(size_t);

	MUST(h);
	alloc = (void *(*)(size_t))dlsym(h, "plugin_alloc");
	MUST(alloc);
	for (size_t n = 1; n <= 8 * MIB; n *= 8)
		hand_over(alloc, n);
	puts("ok");
	return 0;
}
