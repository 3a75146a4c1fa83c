/* SPDX-License-Identifier: MIT */
/*
 * case_own_malloc.c - a program with a malloc of its own, which maps memory
 * with its lock held, for the first block of every thread too
 */
#include <pthread.h>
#include <sys/mman.h>
#include "tests/case.h"

#define THREADS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *next, *end;

static void refill(size_t need)
{
	size_t len = (need + 4 * MIB) & ~(MIB - 1);

	next = mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	end = next + len;
}

/* the length stands before the block */
void *malloc(size_t size)
{
	size_t need = (size + 31) & ~(size_t)15;
	char *p;

	pthread_mutex_lock(&lock);
	if ((size_t)(end - next) < need)
		refill(need);
	p = next;
	next += need;
	pthread_mutex_unlock(&lock);
	memcpy(p, &size, sizeof(size));
	return p + 16;
}

void free(void *p)
{
	(void)p;
}

void *calloc(size_t n, size_t size)
{
	return malloc(n * size);
}

void *realloc(void *p, size_t size)
{
	void *moved = malloc(size);
	size_t old = 0;

	if (p)
		memcpy(&old, (char *)p - 16, sizeof(old));
	return old ? memcpy(moved, p, old < size ? old : size) : moved;
}

static void *allocate(void *unused)
{
	char *p = case_keep(malloc(5 * MIB));

	memset(p, 1, 5 * MIB);
	return unused;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < THREADS; i++) {
		MUST(!pthread_create(&t, NULL, allocate, NULL));
		MUST(!pthread_join(t, NULL));
	}
	puts("ok");
	return 0;
}
