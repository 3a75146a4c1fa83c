/* SPDX-License-Identifier: MIT */
/*
 * fuzz_draw.h - what a step of a fuzzed sequence chooses, and from where
 *
 * From a seed, or from bytes that a coverage-guided fuzzer changes. Each step
 * draws from a source of its own, so that leaving one out, or changing it, moves
 * no other: DRAW_BYTES of the input belong to a step, and what it draws beyond
 * them follows from them.
 */
#ifndef TESTS_FUZZ_DRAW_H
#define TESTS_FUZZ_DRAW_H

#include <stddef.h>
#include <stdint.h>

#include "tests/random.h"

#define DRAW_BYTES 12

struct draw {
	const uint8_t *bytes;
	size_t left;
	struct rng rng;
};

static inline struct draw draw_seed(uint64_t seed)
{
	return (struct draw){NULL, 0, rng_seed(seed)};
}

/* step @i of @len bytes at @data; at least one of its bytes is there */
static inline struct draw draw_bytes(const uint8_t *data, size_t len, size_t i)
{
	struct draw d = {data + i * DRAW_BYTES, len - i * DRAW_BYTES, {0}};
	uint64_t sum = 0;

	if (d.left > DRAW_BYTES)
		d.left = DRAW_BYTES;
	for (size_t b = 0; b < d.left; b++)
		sum = sum * 0x100000001b3 + d.bytes[b];
	d.rng = rng_seed(sum);
	return d;
}

static inline size_t draw_steps(size_t len)
{
	return (len + DRAW_BYTES - 1) / DRAW_BYTES;
}

/* [0, @n) */
static inline unsigned int draw_below(struct draw *d, unsigned int n)
{
	unsigned int value = 0, most = n - 1;

	if (!d->left)
		return rng_below(&d->rng, n);
	for (; most && d->left; most >>= 8, d->left--)
		value = value << 8 | *d->bytes++;
	return value % n;
}

static inline uint64_t draw_word(struct draw *d)
{
	return rng_next(&d->rng);
}

#endif
