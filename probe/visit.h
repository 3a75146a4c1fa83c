/* SPDX-License-Identifier: MIT */
/*
 * visit.h - a seeded random visiting order of n places, without storing it
 *
 * A small Feistel network with cycle walking is a bijection of [0, n) for any
 * n (Black and Rogaway, "Ciphers with arbitrary finite domains", 2002). Linking
 * place k of the order to place k + 1 therefore gives one cycle through all n
 * places by construction, needs no order array (which would be 8 % of a span
 * of 128-byte nodes, and 64-bit at any size), and gives every buffer of one
 * comparison the very same sequence of offsets.
 */
#ifndef HP_VISIT_H
#define HP_VISIT_H

#include <stdint.h>

enum { HP_VISIT_ROUNDS = 4 };

struct hp_visit {
	uint64_t places;
	uint64_t key[HP_VISIT_ROUNDS];
	unsigned int low_bits;	/* width of the right half */
	unsigned int high_bits; /* of the left half: the same or one less */
};

/**
 * hp_visit_init - choose one order
 * @visit:  receives it
 * @places: how many places there are, at least 1
 * @seed:   which order
 */
void hp_visit_init(struct hp_visit *visit, uint64_t places, uint64_t seed);

/**
 * hp_visit_at - the place visited at step @step
 * @visit: an initialised order
 * @step:  0 .. places - 1
 *
 * Return: the place, 0 .. places - 1; different for every step.
 */
uint64_t hp_visit_at(const struct hp_visit *visit, uint64_t step);

#endif
