/* SPDX-License-Identifier: MIT */
/*
 * case_own_arenas.c - a program that knows jemalloc makes an arena of its own
 * and grows blocks of it in place; hooks of its own are refused by any name.
 * Without jemalloc's functions it does the same with what there is.
 */
#include <malloc.h>
#include "tests/case.h"

#define BLOCKS 64
#define SIZE (256 << 10)

int mallctl(const char *name, void *old, size_t *old_len, void *new,
	    size_t new_len) __attribute__((weak));
int mallctlnametomib(const char *name, size_t *mib, size_t *len)
	__attribute__((weak));
int mallctlbymib(const size_t *mib, size_t len, void *old, size_t *old_len,
		 void *new, size_t new_len) __attribute__((weak));

static char *block[BLOCKS];

static void use_own_arena(void)
{
	unsigned int arena;
	size_t len = sizeof(arena);

	MUST(!mallctl("arenas.create", &arena, &len, NULL, 0));
	MUST(!mallctl("thread.arena", NULL, NULL, &arena, len));
}

/* what the hooks would hand out could not be told from libc's blocks */
static void refuse_hooks(void)
{
	static void *hooks[9];
	const char *names[] = {"arenas.create", "arena.0.extent_hooks",
			       "experimental.arenas_create_ext"};
	void *own = hooks;

	for (int i = 0; i < 3; i++) {
		size_t mib[4], n = 4;

		if (mallctlnametomib(names[i], mib, &n))
			continue;
		MUST(mallctl(names[i], NULL, NULL, &own, sizeof(own)) == EPERM);
		MUST(mallctlbymib(mib, n, NULL, NULL, &own, sizeof(own)) ==
		     EPERM);
	}
}

static void grow(int i)
{
	MUST((block[i] = realloc(block[i], 4 * SIZE)));
	MUST(case_all(block[i], SIZE, (unsigned char)i));
	memset(block[i], i, 4 * SIZE);
}

int main(void)
{
	if (mallctl && mallctlbymib && mallctlnametomib) {
		refuse_hooks();
		use_own_arena();
	}
	for (int i = 0; i < BLOCKS; i++) {
		MUST((block[i] = malloc(SIZE)));
		memset(block[i], i, SIZE);
	}
	for (int i = 0; i < BLOCKS; i += 2)
		grow(i);
	for (int i = 0; i < BLOCKS; i++) {
		MUST(case_all(block[i], SIZE, (unsigned char)i));
		MUST(malloc_usable_size(block[i]) >= SIZE);
		free(block[i]);
	}
	puts("well");
	return 0;
}
