/* SPDX-License-Identifier: MIT */
/*
 * case_hook.c - a preloaded library that allocates inside open, openat, read,
 * readlink and clock_gettime, as fakechroot, Onload and libfaketime do
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* <fcntl.h> would declare the open family variadic, which cannot be forwarded */

/* volatile: an unused block would be optimised away with its malloc */
static void *volatile block;

static void churn(void)
{
	block = malloc(64);
	free(block);
}

static void *next(const char *name)
{
	churn();
	return dlsym(RTLD_NEXT, name);
}

#define FORWARD(ret, name, params, args)                                       \
	ret name params;                                                       \
	ret name params                                                        \
	{                                                                      \
		static ret(*real) params;                                      \
		if (!real)                                                     \
			real = (ret(*) params)next(#name);                     \
		churn();                                                       \
		return real args;                                              \
	}

FORWARD(int, open, (const char *p, int flags, mode_t m), (p, flags, m))
FORWARD(int, open64, (const char *p, int flags, mode_t m), (p, flags, m))
FORWARD(int, openat, (int d, const char *p, int flags, mode_t m),
	(d, p, flags, m))
FORWARD(ssize_t, read, (int fd, void *b, size_t n), (fd, b, n))
FORWARD(ssize_t, readlink, (const char *p, char *b, size_t n), (p, b, n))
FORWARD(int, clock_gettime, (clockid_t c, struct timespec *t), (c, t))
