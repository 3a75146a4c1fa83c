/* SPDX-License-Identifier: MIT */
/*
 * case_mlockall.c - under a memlock limit of 8 MiB: lock everything, take
 * four blocks, start a thread on a 64 KiB stack (chronyd, booth)
 *
 * "future": small mappings made after MCL_FUTURE alone are locked, until
 * munlockall
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <sys/mman.h>
#include "tests/case.h"

static void *nothing(void *arg)
{
	return arg;
}

static char *map_small(void)
{
	char *p = mmap(NULL, 128 * 1024, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	return p;
}

static bool is_locked(const char *p)
{
	FILE *f = fopen("/proc/self/smaps", "re");
	uintptr_t from, to, start = 0, end = 0;
	char line[512];
	bool locked = false;

	MUST(f);
	while (fgets(line, sizeof(line), f)) {
		/* "Anonymous:" begins with a number too */
		if (sscanf(line, "%zx-%zx ", &from, &to) == 2) {
			start = from;
			end = to;
		}
		if ((uintptr_t)p >= start && (uintptr_t)p < end &&
		    !strncmp(line, "VmFlags:", 8))
			locked = strstr(line, " lo");
	}
	fclose(f);
	return locked;
}

static void future(int flags)
{
	printf("before: %d\n", is_locked(map_small()));
	MUST(!mlockall(flags));
	for (int i = 0; i < 4; i++)
		printf("locked: %d\n", is_locked(map_small()));
	MUST(!munlockall());
	printf("after: %d\n", is_locked(map_small()));
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t t;

	if (argc > 1 && !strcmp(argv[1], "future")) {
		future(MCL_FUTURE);
		future(MCL_FUTURE | MCL_ONFAULT);
		return 0;
	}
	MUST(!mlockall(MCL_CURRENT | MCL_FUTURE));
	for (int i = 0; i < 4; i++) {
		char *p = case_keep(malloc(MIB));

		MUST(p);
		memset(p, 1, MIB);
	}
	MUST(!pthread_attr_init(&attr));
	MUST(!pthread_attr_setstacksize(&attr, 64 * 1024));
	MUST(!pthread_create(&t, &attr, nothing, NULL));
	MUST(!pthread_join(t, NULL));
	puts("ok");
	return 0;
}
