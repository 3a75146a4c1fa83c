/* SPDX-License-Identifier: MIT */
/*
 * octave.h - logarithms, of which libc has none
 *
 * The libraries do without libm, which not every program has loaded. Exact to
 * a few units in the last place; pure.
 */
#ifndef HP_OCTAVE_H
#define HP_OCTAVE_H

/* hp_octave_log - to base 2; of 0 -INFINITY, below it NAN */
double hp_octave_log(double x);

/* hp_octave_exp - 2 to the power of @x; exact for whole @x */
double hp_octave_exp(double x);

/* hp_octave_sqrt - of what is not negative */
double hp_octave_sqrt(double x);

static inline double hp_larger(double a, double b)
{
	return a > b ? a : b;
}

static inline double hp_smaller(double a, double b)
{
	return a < b ? a : b;
}

#endif
