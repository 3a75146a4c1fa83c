/* SPDX-License-Identifier: MIT */
/*
 * granule_fit.h - translation levels that explain one sweep
 *
 * Pure: no system, no clock, no allocation.
 */
#ifndef HP_GRANULE_FIT_H
#define HP_GRANULE_FIT_H

#include <stddef.h>

#include "probe/granule_steps.h"

/**
 * struct hp_granule_fit - one level as one sweep sees it
 * @entries: entries in use; @value 0 unless @granule is known
 * @reach:   bytes covered
 * @granule: bytes an entry covers; @value 0 when several sizes fit
 * @ns:      what missing this level adds to a load
 * @votes:   curves that agree
 * @against: curves that should show the step and do not
 * @puzzles: curves that show another, unexplained step before this one; with
 *	     too many of them nothing above is known
 */
struct hp_granule_fit {
	struct hp_granule_range entries, reach, granule;
	double ns;
	unsigned int votes, against, puzzles;
};

/**
 * hp_granule_fit_sweep - levels that explain @sweep, ascending by reach
 * @sweep: curves
 * @base:  smallest granule possible, a power of two
 * @out:   receives the levels
 *
 * For every granule G and entry count E the step of each curve is predicted:
 * E blocks where the spacing B is at least G, E*G/B blocks below. Where B is
 * an even multiple of G a linearly indexed TLB uses only part of its sets, so
 * there any step between E*G/B and E agrees. A granule is known only when
 * curves on both sides of it agree and every other granule is contradicted by
 * at least two curves more.
 *
 * Return: number of levels; 0 if nothing consistent was seen.
 */
size_t hp_granule_fit_sweep(const struct hp_granule_sweep *sweep, size_t base,
			    struct hp_granule_fit out[HP_GRANULE_LEVELS_MAX]);

#endif
