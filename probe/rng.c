/* SPDX-License-Identifier: MIT */
#include "probe/rng.h"

static uint64_t rotate_left(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

uint64_t hp_rng_mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

void hp_rng_seed(struct hp_rng *rng, uint64_t seed)
{
	for (unsigned int i = 0; i < 4; i++) {
		seed = hp_rng_mix(seed);
		rng->word[i] = seed;
	}
}

uint64_t hp_rng_next(struct hp_rng *rng)
{
	uint64_t *w = rng->word;
	uint64_t out = rotate_left(w[1] * 5, 7) * 9;
	uint64_t shifted = w[1] << 17;

	w[2] ^= w[0];
	w[3] ^= w[1];
	w[1] ^= w[2];
	w[0] ^= w[3];
	w[2] ^= shifted;
	w[3] = rotate_left(w[3], 45);
	return out;
}

uint64_t hp_rng_below(struct hp_rng *rng, uint64_t n)
{
	unsigned __int128 wide = (unsigned __int128)hp_rng_next(rng) * n;
	uint64_t reject = -n % n;

	while ((uint64_t)wide < reject)
		wide = (unsigned __int128)hp_rng_next(rng) * n;
	return (uint64_t)(wide >> 64);
}

void hp_rng_shuffle(struct hp_rng *rng, unsigned int *order, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)hp_rng_below(rng, i);
		unsigned int held = order[i - 1];

		order[i - 1] = order[j];
		order[j] = held;
	}
}
