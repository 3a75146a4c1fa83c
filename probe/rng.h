/* SPDX-License-Identifier: MIT */
/*
 * rng.h - seeded random numbers (xoshiro256**, seeded through splitmix64)
 *
 * Not for secrets. The same seed gives the same sequence on every machine, so
 * a measurement can be repeated address for address. No allocation, no locks;
 * one struct belongs to one thread. Reference: Blackman and Vigna, "Scrambled
 * linear pseudorandom number generators", ACM TOMS 47(4), 2021.
 */
#ifndef HP_RNG_H
#define HP_RNG_H

#include <stddef.h>
#include <stdint.h>

struct hp_rng {
	uint64_t word[4];
};

/**
 * hp_rng_mix - spread every bit of @x over the whole word (splitmix64)
 * @x: any value, 0 included
 *
 * Return: the mixed word; a bijection of @x.
 */
uint64_t hp_rng_mix(uint64_t x);

/**
 * hp_rng_seed - start the sequence that belongs to @seed
 * @rng:  receives the state
 * @seed: any value, 0 included
 */
void hp_rng_seed(struct hp_rng *rng, uint64_t seed);

/**
 * hp_rng_next - the next 64 bits
 * @rng: a seeded state
 *
 * Return: a uniformly distributed word.
 */
uint64_t hp_rng_next(struct hp_rng *rng);

/**
 * hp_rng_below - a uniform integer in [0, @n)
 * @rng: a seeded state
 * @n:   exclusive bound, at least 1
 *
 * Unbiased: rejects the few products that would favour small results (Lemire,
 * "Fast random integer generation in an interval", 2019).
 *
 * Return: the integer.
 */
uint64_t hp_rng_below(struct hp_rng *rng, uint64_t n);

/**
 * hp_rng_shuffle - put @order into random order (Fisher-Yates)
 * @rng:   a seeded state
 * @order: @n integers, permuted in place
 * @n:     how many
 */
void hp_rng_shuffle(struct hp_rng *rng, unsigned int *order, size_t n);

#endif
