/* SPDX-License-Identifier: MIT */
#include "probe/visit.h"

#include "probe/rng.h"

static unsigned int bits_for(uint64_t places)
{
	return places > 2 ? 64 - (unsigned int)__builtin_clzll(places - 1) : 2;
}

void hp_visit_init(struct hp_visit *visit, uint64_t places, uint64_t seed)
{
	unsigned int bits = bits_for(places);

	visit->places = places;
	visit->high_bits = bits / 2;
	visit->low_bits = bits - bits / 2;
	for (unsigned int i = 0; i < HP_VISIT_ROUNDS; i++) {
		seed = hp_rng_mix(seed);
		visit->key[i] = seed;
	}
}

static uint64_t mask(unsigned int bits)
{
	return ((uint64_t)1 << bits) - 1;
}

/*
 * Two rounds at a time, each adding a hash of one half into the other, so
 * halves of different width need no swap and the whole stays a bijection.
 */
static uint64_t encrypt(const struct hp_visit *visit, uint64_t x)
{
	uint64_t low = x & mask(visit->low_bits);
	uint64_t high = x >> visit->low_bits;

	for (unsigned int i = 0; i < HP_VISIT_ROUNDS; i += 2) {
		high ^= hp_rng_mix(low ^ visit->key[i]) &
			mask(visit->high_bits);
		low ^= hp_rng_mix(high ^ visit->key[i + 1]) &
		       mask(visit->low_bits);
	}
	return high << visit->low_bits | low;
}

uint64_t hp_visit_at(const struct hp_visit *visit, uint64_t step)
{
	uint64_t x = encrypt(visit, step);

	while (x >= visit->places)
		x = encrypt(visit, x);
	return x;
}
