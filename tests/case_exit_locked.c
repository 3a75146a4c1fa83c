/* SPDX-License-Identifier: MIT */
/*
 * case_exit_locked.c - exit() while another thread holds the loader's lock: the
 * program's own exit handler is reached, and ends it
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
#include "tests/case.h"

static void *load(void *name)
{
	return dlopen(name, RTLD_NOW);
}

static void leave(void)
{
	_exit(7);
}

int main(int argc, char **argv)
{
	int said[2];
	pthread_t t;
	char c;

	MUST(argc > 1 && !pipe(said) && dup2(said[1], 1) == 1);
	MUST(!atexit(leave));
	MUST(!pthread_create(&t, NULL, load, argv[1]));
	MUST(read(said[0], &c, 1) == 1); /* the constructor's word */
	exit(0);
}
