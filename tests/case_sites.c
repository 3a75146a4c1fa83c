/* SPDX-License-Identifier: MIT */
/*
 * case_sites.c - known amounts of memory from functions of known names
 *
 * usage: case_sites        allocate and end while all of it is in use
 *	  case_sites free   give the small blocks back first
 *	  case_sites fail   ask for far too much on the way
 *	  case_sites wait   visit the loaded objects, and wait in there for a
 *			    thread that allocates: it must not want that lock
 *	  case_sites fork   fork while other threads allocate; children too
 */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
#define SMALL 64
#define NSMALL (96 * MIB / SMALL)
#define NOINLINE __attribute__((noinline, noclone))

static void **small;
static volatile int stop;

/* volatile: no call is a tail call, which would leave no frame */
NOINLINE static void *small_site(size_t size)
{
	void *volatile p = malloc(size);

	return p;
}

NOINLINE static void *large_site(size_t size)
{
	void *volatile p = malloc(size);

	memset(p, 1, size);
	return p;
}

NOINLINE static void *map_site(size_t size)
{
	void *volatile p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(p, 1, size);
	return p;
}

NOINLINE static void *grow_site(void *p, size_t size)
{
	void *volatile grown = realloc(p, size);

	memset(grown, 1, size);
	return grown;
}

/* whatever a call asked for in vain, the next one goes on as ever */
static int is_refused(const void *p)
{
	free(small_site(SMALL));
	return !p;
}

/* a block that cannot grow stays what it was */
static int all_are_refused(void *block)
{
	const volatile size_t huge = (size_t)1 << 60;
	void *aligned = NULL;

	(void)!posix_memalign(&aligned, 64, huge);
	return is_refused(aligned) && is_refused(malloc(huge)) &&
	       is_refused(calloc(huge, 9)) && is_refused(calloc(huge, 8)) &&
	       is_refused(aligned_alloc(64, huge)) &&
	       is_refused(realloc(NULL, huge)) &&
	       is_refused(realloc(block, huge));
}

static void *allocate(void *arg)
{
	do {
		char *p = malloc(5 * MIB);

		*(volatile char *)p = 1;
		free(p);
		p = mmap(NULL, 5 * MIB, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		*(volatile char *)p = 1;
		munmap(p, 5 * MIB);
	} while (arg && !stop);
	return NULL;
}

static int visit(struct dl_phdr_info *info, size_t size, void *arg)
{
	pthread_t t;

	(void)info;
	(void)size;
	(void)arg;
	if (pthread_create(&t, NULL, allocate, NULL))
		return -1;
	return pthread_join(t, NULL) ? -1 : 1;
}

static int fork_often(void)
{
	pthread_t t[2];
	int bad = 0;

	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, allocate, &bad))
			return -1;
	for (int i = 0; i < 100; i++) {
		int status = -1;
		pid_t child = fork();

		if (child == 0) {
			allocate(NULL);
			_exit(0);
		}
		waitpid(child, &status, 0);
		bad += status != 0;
	}
	stop = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return bad;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	void *volatile kept[4];

	if (!strcmp(how, "wait"))
		return dl_iterate_phdr(visit, NULL) == 1 ? 0 : 1;
	if (!strcmp(how, "fork"))
		return fork_often() ? 1 : 0;
	small = mmap(NULL, NSMALL * sizeof(*small), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	/* what is given back goes first: the report is of the fullest moment */
	kept[0] = map_site(32 * MIB);
	kept[1] = map_site(16 * MIB);
	munmap(kept[1], 16 * MIB);
	munmap((char *)kept[0] + 8 * MIB, 4 * MIB);
	kept[2] = grow_site(large_site(3 * MIB), 12 * MIB);
	kept[3] = large_site(24 * MIB);
	if (!strcmp(how, "fail") && !all_are_refused(kept[3]))
		return 1;
	for (size_t i = 0; i < NSMALL; i++)
		memset(small[i] = small_site(SMALL), 1, SMALL);
	for (size_t i = 0; !strcmp(how, "free") && i < NSMALL; i++)
		free(small[i]);
	puts("done");
	return 0;
}
