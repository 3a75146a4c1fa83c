/* SPDX-License-Identifier: MIT */
/*
 * case_family.c - every function that returns a heap block, against every
 * function that takes one, writing up to malloc_usable_size()
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include "tests/case.h"

static void *by_malloc(size_t n)
{
	return malloc(n);
}

static void *by_calloc(size_t n)
{
	return calloc(1, n);
}

static void *by_realloc(size_t n)
{
	return realloc(NULL, n);
}

static void *by_reallocarray(size_t n)
{
	return reallocarray(NULL, n, 1);
}

static void *by_memalign(size_t n)
{
	return memalign(64, n);
}

static void *by_aligned_alloc(size_t n)
{
	return aligned_alloc(64, n);
}

static void *by_posix_memalign(size_t n)
{
	void *p = NULL;

	return posix_memalign(&p, 4096, n) ? NULL : p;
}

static void *by_valloc(size_t n)
{
	return valloc(n);
}

static void *by_pvalloc(size_t n)
{
	return pvalloc(n);
}

static char *text(size_t n)
{
	char *s = malloc(n);

	MUST(s);
	memset(s, 'x', n - 1);
	s[n - 1] = 0;
	return s;
}

static void *by_strdup(size_t n)
{
	char *s = text(n), *p = strdup(s);

	free(s);
	return p;
}

static void *by_asprintf(size_t n)
{
	char *s = text(n), *p = NULL;

	MUST(asprintf(&p, "%s", s) == (int)n - 1);
	free(s);
	return p;
}

static void *by_getline(size_t n)
{
	FILE *f = tmpfile();
	char *s = text(n), *line = NULL;
	size_t cap = 0;

	MUST(f && fputs(s, f) >= 0 && fputc('\n', f) == '\n');
	rewind(f);
	MUST(getline(&line, &cap, f) == (ssize_t)n);
	fclose(f);
	free(s);
	return line;
}

static void *by_memstream(size_t n)
{
	char *s = text(n), *p = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&p, &len);

	MUST(f && fwrite(s, 1, n - 1, f) == n - 1 && !fclose(f));
	free(s);
	return p;
}

/* glibc's second names: one heap with the first, looked up in either way */
static void *second(const char *name)
{
	static int turn;
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	void *f = dlsym(turn++ % 2 ? libc : RTLD_DEFAULT, name);

	MUST(libc && f);
	dlclose(libc);
	return f;
}

static void *by_second(const char *name, size_t n)
{
	return ((void *(*)(size_t))second(name))(n);
}

/* two arguments: a number of blocks, an alignment, a block to resize */
static void *by_second_of(const char *name, size_t first, size_t n)
{
	return ((void *(*)(size_t, size_t))second(name))(first, n);
}

static void *by_libc_malloc(size_t n)
{
	return by_second("__libc_malloc", n);
}

static void *by_libc_calloc(size_t n)
{
	return by_second_of("__libc_calloc", 1, n);
}

static void *by_libc_realloc(size_t n)
{
	return by_second_of("__libc_realloc", (size_t)malloc(n / 2), n);
}

static void *by_libc_valloc(size_t n)
{
	return by_second("__libc_valloc", n);
}

static void *by_libc_pvalloc(size_t n)
{
	return by_second("__libc_pvalloc", n);
}

static void *by_libc_memalign(size_t n)
{
	return by_second_of("__libc_memalign", 256, n);
}

static void by_libc_free(void *p)
{
	((void (*)(void *))second("__libc_free"))(p);
}

static const struct {
	const char *name;
	void *(*make)(size_t n);
	size_t align;
} producers[] = {
	{"malloc", by_malloc, 16},
	{"calloc", by_calloc, 16},
	{"realloc", by_realloc, 16},
	{"reallocarray", by_reallocarray, 16},
	{"memalign", by_memalign, 64},
	{"aligned_alloc", by_aligned_alloc, 64},
	{"posix_memalign", by_posix_memalign, 4096},
	{"valloc", by_valloc, 4096},
	{"pvalloc", by_pvalloc, 4096},
	{"strdup", by_strdup, 1},
	{"asprintf", by_asprintf, 1},
	{"getline", by_getline, 1},
	{"open_memstream", by_memstream, 1},
	{"__libc_malloc", by_libc_malloc, 16},
	{"__libc_calloc", by_libc_calloc, 16},
	{"__libc_realloc", by_libc_realloc, 16},
	{"__libc_valloc", by_libc_valloc, 4096},
	{"__libc_pvalloc", by_libc_pvalloc, 4096},
	{"__libc_memalign", by_libc_memalign, 256},
};

static void use(void *p, size_t want, size_t align)
{
	size_t n = malloc_usable_size(p);
	unsigned char *q;

	/* jemalloc may give 8-byte alignment to blocks below 16 bytes */
	MUST(p && (uintptr_t)p % (want < 16 && align <= 16 ? 1 : align) == 0);
	MUST(n >= want && malloc_usable_size(p) == n);
	memset(p, 1, n);
	q = realloc(p, n + 4096);
	MUST(q && case_all(q, n, 1));
	free(q);
}

static void use_each(size_t want)
{
	for (size_t i = 0; i < sizeof(producers) / sizeof(*producers); i++) {
		use(producers[i].make(want), want, producers[i].align);
		free(producers[i].make(want));
		by_libc_free(producers[i].make(want));
		by_libc_free(producers[i].make(want));
		printf("%s %zu ok\n", producers[i].name, want);
	}
}

/* calls that describe the replaced heap: they may know nothing, not crash */
static void ask_about_the_heap(void)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	struct mallinfo2 info = mallinfo2();

	malloc_trim(0);
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	MUST(info.uordblks <= info.arena + info.hblkhd + GIB);
	MUST(f);
	if (!malloc_info(0, f)) {
		fflush(f);
		MUST(strstr(text, "<malloc") && strstr(text, "</malloc>"));
	}
	fclose(f);
	free(text);
	MUST(malloc_usable_size(NULL) == 0);
	free(NULL);
}

int main(void)
{
	static const size_t sizes[] = {1, 100, 5000, 3 * MIB};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		use_each(sizes[i]);
	ask_about_the_heap();
	use_each(100);
	puts("done");
	return 0;
}
