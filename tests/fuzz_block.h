/* SPDX-License-Identifier: MIT */
/*
 * fuzz_block.h - one random call of the malloc family, against a shadow
 *
 * Each block is filled to the end of what malloc_usable_size() says with bytes
 * that follow from its number, so a block that overlaps another, moves without
 * its contents or is handed out twice is found when it is next looked at.
 * What does not hold ends the process with one line.
 */
#ifndef TESTS_FUZZ_BLOCK_H
#define TESTS_FUZZ_BLOCK_H

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz_draw.h"

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
	struct draw draw;
	uint64_t seed, steps, step;
	uint32_t number;
	struct block blocks[BLOCKS];
	size_t bytes;
};

static struct block shared[SHARED]; /* blocks on their way to other threads */
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;

static _Noreturn inline void broken(const struct thread *t, const char *what,
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
static inline unsigned char byte_of(uint32_t number, size_t at)
{
	return (unsigned char)(number * 0x9e3779b1u + at * 131 + (at >> 8));
}

/* all of a small block, the ends and a sample of a large one */
static inline size_t next_byte(const struct block *b, size_t at)
{
	return b->usable < 4096 || at < 64 || at + 64 >= b->usable ? at + 1
	       : at + 509 < b->usable - 64			   ? at + 509
					   : b->usable - 64;
}

static inline void fill(struct block *b)
{
	for (size_t i = 0; i < b->usable; i = next_byte(b, i))
		b->p[i] = byte_of(b->number, i);
}

/* the first @len bytes are those of a block with @usable and @number */
static inline void check(const struct thread *t, const struct block *b,
			 const struct block *now, size_t len)
{
	for (size_t i = 0; i < len; i = next_byte(b, i))
		if (now->p[i] != byte_of(b->number, i))
			broken(t, "contents changed", now);
}

static inline void check_zero(const struct thread *t, const struct block *b)
{
	for (size_t i = 0; i<b->size; i += b->size> MIB ? 61 : 1)
		if (b->p[i])
			broken(t, "calloc is not zero", b);
}

static inline size_t some_size(struct thread *t)
{
	unsigned int dice = draw_below(&t->draw, 1000);

	if (dice < 700)
		return draw_below(&t->draw, 512);
	if (dice < 900)
		return draw_below(&t->draw, 20000);
	if (dice < 990)
		return draw_below(&t->draw, 400000);
	return draw_below(&t->draw, 9000000);
}

static inline void measure(const struct thread *t, struct block *b)
{
	b->usable = malloc_usable_size(b->p);
	if (b->usable < b->size)
		broken(t, "usable size is less than asked for", b);
	if (malloc_usable_size(b->p) != b->usable)
		broken(t, "usable size is not twice the same", b);
}

static inline void keep(struct thread *t, struct block *b, size_t align)
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

static inline size_t plain_align(size_t size)
{
	return size >= 16 ? 16 : 8;
}

static inline void take_aligned(struct thread *t, struct block *b)
{
	size_t align = (size_t)1 << (4 + draw_below(&t->draw, 12));

	if (draw_below(&t->draw, 200) == 0)
		align = 4 * MIB;
	switch (draw_below(&t->draw, 5)) {
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

static inline void take(struct thread *t, struct block *b)
{
	b->size = some_size(t);
	switch (draw_below(&t->draw, 8)) {
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

static inline void give(struct thread *t, struct block *b)
{
	check(t, b, b, b->usable);
	t->bytes -= b->usable;
	errno = 4711;
	switch (draw_below(&t->draw, 8)) {
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

static inline void resize(struct thread *t, struct block *b)
{
	struct block now = {.size = 1 + some_size(t)};

	if (draw_below(&t->draw, 3) == 0)
		now.size = 1 + b->size + draw_below(&t->draw, 5000);
	t->bytes -= b->usable;
	now.p = draw_below(&t->draw, 4) ? realloc(b->p, now.size)
					: reallocarray(b->p, 1, now.size);
	if (!now.p)
		broken(t, "realloc failed", b);
	check(t, b, &now, b->usable < now.size ? b->usable : now.size);
	*b = now;
	keep(t, b, plain_align(b->size));
}

/* what must fail, with the block untouched */
static inline void ask_too_much(struct thread *t, struct block *b)
{
	static const size_t huge[] = {SIZE_MAX, SIZE_MAX / 2 + 1,
				      SIZE_MAX - 4095, (size_t)1 << 60};
	size_t size = huge[draw_below(&t->draw, 4)];
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
static inline void exchange(struct thread *t, struct block *b)
{
	struct block *place = &shared[draw_below(&t->draw, SHARED)];
	struct block mine = *b;

	pthread_mutex_lock(&shared_lock);
	*b = *place;
	*place = mine;
	pthread_mutex_unlock(&shared_lock);
	t->bytes += b->p ? b->usable : 0;
	t->bytes -= mine.p ? mine.usable : 0;
}

static inline void step(struct thread *t)
{
	struct block *b = &t->blocks[draw_below(&t->draw, BLOCKS)];
	unsigned int dice = draw_below(&t->draw, 1000);

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

static inline void give_each(struct thread *t, struct block *blocks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (blocks[i].p)
			give(t, &blocks[i]);
}

#endif
