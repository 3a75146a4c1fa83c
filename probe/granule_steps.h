/* SPDX-License-Identifier: MIT */
/*
 * granule_steps.h - steps in one latency curve
 *
 * Pure: no system, no clock, no allocation.
 */
#ifndef HP_GRANULE_STEPS_H
#define HP_GRANULE_STEPS_H

#include <stddef.h>

#include "probe/hp_granule.h"

#define HP_GRANULE_STEPS_MAX 4

/**
 * struct hp_granule_step - a rise from one level stretch to the next
 * @onset: last block count of the lower stretch
 * @knee:  block count at three tenths of the height
 * @full:  first block count of the upper stretch
 * @ns:    height
 */
struct hp_granule_step {
	double onset, knee, full, ns;
};

/**
 * hp_granule_steps_find - level stretches and the rises between them
 * @curve: points to look at
 * @out:   receives the steps in ascending order
 *
 * A stretch counts when it lasts half an octave and three points; a rise
 * counts when it exceeds half a nanosecond, a fifth of what it rises to and
 * what the intervals of the points allow by chance. Slow slopes, such as page
 * table lines falling out of a cache, are therefore no steps.
 *
 * Return: number of steps, 0 if there are none or @curve is too short.
 */
size_t hp_granule_steps_find(const struct hp_granule_curve *curve,
			     struct hp_granule_step out[HP_GRANULE_STEPS_MAX]);

#endif
