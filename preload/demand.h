/* SPDX-License-Identifier: MIT */
/*
 * demand.h - LIBHP_MODE=on: no huge page, no program
 */
#ifndef HP_DEMAND_H
#define HP_DEMAND_H

#include "libhp/init.h"

/**
 * hp_demand_first_slot - try every rung once
 *
 * Does not return if none can be had: one line on stderr names the reasons and
 * the process exits with status 125.
 */
void hp_demand_first_slot(const struct hp_context *context);

#endif
