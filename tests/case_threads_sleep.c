/* SPDX-License-Identifier: MIT */
/*
 * case_threads_sleep.c - a hundred threads that allocate now and then, until
 * standard input ends; a debugger may come and go
 */
#include <pthread.h>
#include <unistd.h>
#include "tests/case.h"

static volatile int done;

static void *tick(void *arg)
{
	while (!done) {
		free(case_keep(malloc(300000)));
		usleep(20000);
	}
	return arg;
}

int main(void)
{
	pthread_t t[100];
	char c;

	for (int i = 0; i < 100; i++)
		MUST(!pthread_create(&t[i], NULL, tick, NULL));
	puts("up");
	fflush(stdout);
	MUST(read(0, &c, 1) == 0);
	done = 1;
	for (int i = 0; i < 100; i++)
		MUST(!pthread_join(t[i], NULL));
	puts("ok");
	return 0;
}
