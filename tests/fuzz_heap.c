/* SPDX-License-Identifier: MIT */
/*
 * fuzz_heap.c - the malloc family against a shadow of every block
 *
 *	fuzz_heap [-t THREADS] [-f] SEED [STEPS]
 *
 * Each block is filled to the end of what malloc_usable_size() says with bytes
 * that follow from its number, so a block that overlaps another, moves without
 * its contents or is handed out twice is found when it is next looked at.
 * Blocks change threads. -f forks now and then; the child goes on for a while.
 * Ends with status 1 and one line when something does not hold.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/random.h"

#define BLOCKS 600
#define SHARED 64
#define MIB ((size_t)1 << 20)

/* old binaries and C23 call these; no header of ours declares them */
void cfree(void *p);
extern void free_sized(void *p, size_t size) __attribute__((weak));

struct block {
	unsigned char *p;
	size_t size, usable;
	uint32_t number;
};

struct thread {
	struct rng rng;
	uint64_t seed, steps, step;
	uint32_t number;
	struct block blocks[BLOCKS];
	size_t bytes;
};

static struct block shared[SHARED]; /* blocks on their way to other threads */
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;
static bool forks;

static _Noreturn void broken(const struct thread *t, const char *what,
			     const struct block *b)
{
	char line[256];
	int len = snprintf(line, sizeof(line),
			   "fuzz_heap: seed %llu step %llu: %s; block %p of "
			   "%zu (usable %zu)\n",
			   (unsigned long long)t->seed,
			   (unsigned long long)t->step, what, (void *)b->p,
			   b->size, b->usable);

	if (write(STDERR_FILENO, line, (size_t)len) < 0)
		_exit(2);
	_exit(1);
}

/* what byte @at of block @number holds */
static unsigned char byte_of(uint32_t number, size_t at)
{
	return (unsigned char)(number * 0x9e3779b1u + at * 131 + (at >> 8));
}

/* all of a small block, the ends and a sample of a large one */
static size_t next_byte(const struct block *b, size_t at)
{
	return b->usable < 4096 || at < 64 || at + 64 >= b->usable ? at + 1
	       : at + 509 < b->usable - 64			   ? at + 509
					   : b->usable - 64;
}

static void fill(struct block *b)
{
	for (size_t i = 0; i < b->usable; i = next_byte(b, i))
		b->p[i] = byte_of(b->number, i);
}

/* the first @len bytes are those of a block with @usable and @number */
static void check(const struct thread *t, const struct block *b,
		  const struct block *now, size_t len)
{
	for (size_t i = 0; i < len; i = next_byte(b, i))
		if (now->p[i] != byte_of(b->number, i))
			broken(t, "contents changed", now);
}

static void check_zero(const struct thread *t, const struct block *b)
{
	for (size_t i = 0; i<b->size; i += b->size> MIB ? 61 : 1)
		if (b->p[i])
			broken(t, "calloc is not zero", b);
}

static size_t some_size(struct thread *t)
{
	unsigned int dice = rng_below(&t->rng, 1000);

	if (dice < 700)
		return rng_below(&t->rng, 512);
	if (dice < 900)
		return rng_below(&t->rng, 20000);
	if (dice < 990)
		return rng_below(&t->rng, 400000);
	return rng_below(&t->rng, 9000000);
}

static void measure(const struct thread *t, struct block *b)
{
	b->usable = malloc_usable_size(b->p);
	if (b->usable < b->size)
		broken(t, "usable size is less than asked for", b);
	if (malloc_usable_size(b->p) != b->usable)
		broken(t, "usable size is not twice the same", b);
}

static void keep(struct thread *t, struct block *b, size_t align)
{
	if (!b->p)
		broken(t, "no memory", b);
	if ((uintptr_t)b->p % align)
		broken(t, "not aligned", b);
	b->number = ++t->number;
	measure(t, b);
	fill(b);
	t->bytes += b->usable;
}

static size_t plain_align(size_t size)
{
	return size >= 16 ? 16 : 8;
}

static void take_aligned(struct thread *t, struct block *b)
{
	size_t align = (size_t)1 << (4 + rng_below(&t->rng, 12));

	if (rng_below(&t->rng, 200) == 0)
		align = 4 * MIB;
	switch (rng_below(&t->rng, 5)) {
	case 0:
		b->p = memalign(align, b->size);
		break;
	case 1:
		b->size = (b->size + align - 1) / align * align;
		b->p = aligned_alloc(align, b->size);
		break;
	case 2:
		align = (size_t)sysconf(_SC_PAGESIZE);
		b->p = valloc(b->size);
		break;
	case 3:
		align = (size_t)sysconf(_SC_PAGESIZE);
		b->p = pvalloc(b->size);
		b->size = (b->size + align - 1) / align * align;
		break;
	default:
		if (posix_memalign((void **)&b->p, align, b->size))
			b->p = NULL;
	}
	keep(t, b, align);
}

static void take(struct thread *t, struct block *b)
{
	b->size = some_size(t);
	switch (rng_below(&t->rng, 8)) {
	case 0:
	case 1:
		b->p = calloc(1 + b->size % 7, (b->size + 6) / 7);
		b->size = (1 + b->size % 7) * ((b->size + 6) / 7);
		if (b->p)
			check_zero(t, b);
		keep(t, b, plain_align(b->size));
		break;
	case 2:
		take_aligned(t, b);
		break;
	case 3:
		b->p = realloc(NULL, b->size);
		keep(t, b, plain_align(b->size));
		break;
	default:
		b->p = malloc(b->size);
		keep(t, b, plain_align(b->size));
	}
}

static void give(struct thread *t, struct block *b)
{
	check(t, b, b, b->usable);
	t->bytes -= b->usable;
	errno = 4711;
	switch (rng_below(&t->rng, 8)) {
	case 0:
		if (realloc(b->p, 0))
			broken(t, "realloc to nothing gave a block", b);
		break;
	case 1:
		if (free_sized) {
			free_sized(b->p, b->size);
			break;
		}
		/* fallthrough */
	default:
		free(b->p);
	}
	if (errno != 4711)
		broken(t, "freeing changed errno", b);
	b->p = NULL;
}

static void resize(struct thread *t, struct block *b)
{
	struct block now = {.size = 1 + some_size(t)};

	if (rng_below(&t->rng, 3) == 0)
		now.size = 1 + b->size + rng_below(&t->rng, 5000);
	t->bytes -= b->usable;
	now.p = rng_below(&t->rng, 4) ? realloc(b->p, now.size)
				      : reallocarray(b->p, 1, now.size);
	if (!now.p)
		broken(t, "realloc failed", b);
	check(t, b, &now, b->usable < now.size ? b->usable : now.size);
	*b = now;
	keep(t, b, plain_align(b->size));
}

/* what must fail, with the block untouched */
static void ask_too_much(struct thread *t, struct block *b)
{
	static const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2 + 1,
				      SIZE_MAX - 4095, (size_t)1 << 60};
	size_t size = huge[rng_below(&t->rng, 4)];
	void *(*volatile taker)(size_t) = malloc;

	errno = 0;
	if (taker(size) || errno != ENOMEM)
		broken(t, "malloc of too much", b);
	errno = 0;
	if (b->p && (realloc(b->p, size) || errno != ENOMEM))
		broken(t, "realloc to too much", b);
	errno = 0;
	if (calloc(size, 16) || errno != ENOMEM)
		broken(t, "calloc of too much", b);
}

/* a block changes places with one another thread left */
static void exchange(struct thread *t, struct block *b)
{
	struct block *place = &shared[rng_below(&t->rng, SHARED)];
	struct block mine = *b;

	pthread_mutex_lock(&shared_lock);
	*b = *place;
	*place = mine;
	pthread_mutex_unlock(&shared_lock);
	t->bytes += b->p ? b->usable : 0;
	t->bytes -= mine.p ? mine.usable : 0;
}

static void step(struct thread *t)
{
	struct block *b = &t->blocks[rng_below(&t->rng, BLOCKS)];
	unsigned int dice = rng_below(&t->rng, 1000);

	if (dice == 0)
		malloc_trim(0);
	else if (dice < 4)
		ask_too_much(t, b);
	else if (dice < 60)
		exchange(t, b);
	else if (!b->p && t->bytes < 128 * MIB)
		take(t, b);
	else if (b->p && dice < 400 && t->bytes < 128 * MIB)
		resize(t, b);
	else if (b->p)
		give(t, b);
}

static void run_child(struct thread *t)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		for (int i = 0; i < 500; i++, t->step++)
			if (rng_below(&t->rng, 20))
				step(t);
		_exit(0);
	}
	if (waitpid(child, &status, 0) < 0 || status)
		broken(t, "child of a fork", &t->blocks[0]);
}

static void *run(void *arg)
{
	struct thread *t = arg;

	for (; t->step < t->steps; t->step++) {
		step(t);
		if (t->step % 50000 == 49999)
			for (int i = 0; i < BLOCKS; i++)
				if (t->blocks[i].p && i % 10)
					give(t, &t->blocks[i]);
		if (forks && t->step % 20000 == 19999)
			run_child(t);
	}
	for (int i = 0; i < BLOCKS; i++)
		if (t->blocks[i].p)
			give(t, &t->blocks[i]);
	return NULL;
}

int main(int argc, char **argv)
{
	static struct thread threads[16];
	unsigned int n = 1;
	pthread_t ids[16];
	int c;

	while ((c = getopt(argc, argv, "t:f")) >= 0)
		if (c == 't')
			n = (unsigned int)atoi(optarg);
		else
			forks = true;
	if (optind == argc || n < 1 || n > 16)
		return 2;
	for (unsigned int i = 0; i < n; i++) {
		threads[i].seed = strtoull(argv[optind], NULL, 10);
		threads[i].rng = rng_seed(threads[i].seed * 16 + i);
		threads[i].steps =
			argc > optind + 1 ? atoll(argv[optind + 1]) : 100000;
		threads[i].number = i << 28;
		pthread_create(&ids[i], NULL, run, &threads[i]);
	}
	for (unsigned int i = 0; i < n; i++)
		pthread_join(ids[i], NULL);
	return 0;
}
