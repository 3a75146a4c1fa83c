/* SPDX-License-Identifier: MIT */
/*
 * case_mlockall.c - under a memlock limit of 8 MiB: lock everything, take
 * four blocks, start a thread on a 64 KiB stack (chronyd, booth)
 */
#include <pthread.h>
#include <sys/mman.h>
#include "tests/case.h"

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t t;

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
