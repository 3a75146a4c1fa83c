/* SPDX-License-Identifier: MIT */
/*
 * random.h - the same random numbers for the same seed, on every machine
 */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline struct rng rng_seed(uint64_t seed)
{
	return (struct rng){seed * 0x9e3779b97f4a7c15 + 0x7f4a7c15};
}

/* splitmix64 (Steele, Lea, Flood 2014) */
static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* [0, @n) */
static inline unsigned int rng_below(struct rng *r, unsigned int n)
{
	return (unsigned int)(rng_next(r) % n);
}

/* mostly small, now and then up to @max: what sizes look like in programs */
static inline unsigned int rng_size(struct rng *r, unsigned int max)
{
	unsigned int bits = 0;

	while (max >> bits > 1)
		bits++;
	return 1 + rng_below(r, 1u << rng_below(r, bits + 1));
}

#endif
