/* SPDX-License-Identifier: MIT */
/*
 * granule_guess.h - one granule and entry count against all curves
 *
 * Pure: no system, no clock, no allocation.
 */
#ifndef HP_GRANULE_GUESS_H
#define HP_GRANULE_GUESS_H

#include <stdbool.h>

#include "probe/granule_fit.h"

/* steps of one curve; @used once a level explains them */
struct hp_granule_witness {
	double spacing, first, last;
	size_t len;
	struct hp_granule_step steps[HP_GRANULE_STEPS_MAX];
	bool used[HP_GRANULE_STEPS_MAX];
};

struct hp_granule_evidence {
	size_t len;
	struct hp_granule_witness at[HP_GRANULE_CURVES_MAX];
};

/* what a curve says to a guess; from 0 on: agrees, with that step */
enum { HP_GRANULE_SILENT = -1, HP_GRANULE_CONTRADICTS = -2 };

/**
 * struct hp_granule_guess - a possible level, and what the curves say to it
 * @granule: bytes an entry covers
 * @entries: how many there are
 * @votes:   curves that agree
 * @even:    of these, curves that fill the sets evenly and so give figures
 * @against: curves that must show a step and do not
 * @above:   curves that agree and whose spacing exceeds the granule
 * @match:   per curve, the step that agrees, or one of the words above
 */
struct hp_granule_guess {
	double granule, entries;
	unsigned int votes, even, against, above;
	signed char match[HP_GRANULE_CURVES_MAX];
};

/**
 * enum hp_granule_filling - how evenly blocks fill the sets of a linear index
 * @HP_GRANULE_FILL_EVEN:  neighbouring entries, or an odd multiple of the
 *			   granule
 * @HP_GRANULE_FILL_MIXED: the line wanders over many granules of its block
 *			   (hp_granule_plan_offset), so the sets fill by chance
 * @HP_GRANULE_FILL_PART:  some sets may stay empty
 */
enum hp_granule_filling {
	HP_GRANULE_FILL_EVEN,
	HP_GRANULE_FILL_MIXED,
	HP_GRANULE_FILL_PART,
};

/* hp_granule_evidence_gather - find the steps of all curves */
void hp_granule_evidence_gather(const struct hp_granule_sweep *sweep,
				struct hp_granule_evidence *all);

/* hp_granule_share - blocks of this spacing that one entry serves */
double hp_granule_share(const struct hp_granule_witness *e, double granule);

enum hp_granule_filling
hp_granule_filling_of(const struct hp_granule_witness *e, double granule);

/* hp_granule_guess_judge - ask all curves */
struct hp_granule_guess
hp_granule_guess_judge(const struct hp_granule_evidence *all, double granule,
		       double entries);

#endif
