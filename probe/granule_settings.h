/* SPDX-License-Identifier: MIT */
/*
 * granule_settings.h - what a granule study does, and how long it may take
 */
#ifndef HP_GRANULE_SETTINGS_H
#define HP_GRANULE_SETTINGS_H

#include "libhp/common.h"
#include "probe/granule_plan.h"
#include "probe/hp_probe.h"
#include "probe/kind.h"

/* seconds it takes at most to populate memory, and all else at all */
#define HP_GRANULE_POPULATE_S_PER_GIB 3.0
#define HP_GRANULE_SPARE_S 5.0

/* hp_granule_complete - as hp_settings_complete() and hp_settings_kinds() */
int hp_granule_complete(const struct hp_probe_options *in,
			struct hp_probe_options *out,
			struct hp_kinds *kinds) HP_MUST_CHECK;

/* hp_granule_plan_of - what is swept in a kind of @claimed bytes */
struct hp_granule_plan
hp_granule_plan_of(const struct hp_probe_machine *machine,
		   const struct hp_probe_options *options, size_t claimed);

/* hp_granule_seconds - what all of it takes at most, for complete options */
double hp_granule_seconds(const struct hp_probe_machine *machine,
			  const struct hp_probe_options *options,
			  const struct hp_kinds *kinds);

#endif
