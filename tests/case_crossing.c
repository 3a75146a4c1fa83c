/* SPDX-License-Identifier: MIT */
/*
 * case_crossing.c - blocks go between the program, a plugin opened with
 * RTLD_DEEPBIND, and the malloc family as dlsym finds it in libc itself
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include "tests/case.h"

const char *case_name(void);

const char *case_name(void)
{
	return "program";
}

static void *must_find(void *handle, const char *name)
{
	void *found = dlsym(handle, name);

	MUST(found);
	return found;
}

static void pass_around(void (*release)(void *), void *(*resize)(void *))
{
	for (size_t n = 1; n <= 8 * MIB; n *= 8) {
		char *p = malloc(n), *q;

		memset(p, 0x5a, n);
		q = resize(p);
		MUST(q && case_all(q, n, 0x5a));
		release(q);
		release(strndup("block of libc's own making", n));
	}
}

static void cross_plugin(const char *path)
{
	void *h = dlopen(path, RTLD_LAZY | RTLD_DEEPBIND);
	const char *(*name)(void);

	MUST(h);
	name = (const char *(*)(void))must_find(h, "plugin_name");
	puts(name());
	pass_around((void (*)(void *))must_find(h, "plugin_free"),
		    (void *(*)(void *))must_find(h, "plugin_double"));
	dlclose(h);
}

static void *(*libc_realloc)(void *p, size_t n);

static void *resize_by_libc(void *p)
{
	return libc_realloc(p, 20 * MIB);
}

static void cross_libc(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW);
	void *(*take)(size_t, size_t);

	MUST(libc);
	libc_realloc = (void *(*)(void *, size_t))must_find(libc, "realloc");
	pass_around((void (*)(void *))must_find(libc, "free"), resize_by_libc);
	take = (void *(*)(size_t, size_t))must_find(libc, "aligned_alloc");
	free(realloc(take(64, 6400), 100));
	take = (void *(*)(size_t, size_t))must_find(RTLD_NEXT, "calloc");
	free(take(100, 100));
}

int main(int argc, char **argv)
{
	MUST(argc == 2);
	cross_plugin(argv[1]);
	cross_libc();
	puts("ok");
	return 0;
}
