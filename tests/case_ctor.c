/* SPDX-License-Identifier: MIT */
/*
 * case_ctor.c - a plugin whose constructor waits for a thread that allocates;
 * dlopen holds the loader lock meanwhile, so dynamic TLS would deadlock
 */
#include <pthread.h>
#include <stdlib.h>

static void *allocate(void *arg)
{
	/* volatile: an unused block would be optimised away */
	void *volatile p = malloc(1 << 20);

	free(p);
	return arg;
}

__attribute__((constructor)) static void start(void)
{
	pthread_t t;

	if (!pthread_create(&t, NULL, allocate, NULL))
		pthread_join(t, NULL);
}
