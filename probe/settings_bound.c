/* SPDX-License-Identifier: MIT */
/*
 * settings_bound.c - how long a command may take, told before it starts
 *
 * Generous: what a loaded virtual machine needs whose host has to find every
 * page first. Sampling stops in time whatever happens (probe/contest_rounds.c).
 */
#include "probe/settings.h"

#include <string.h>

#include "probe/granule.h"

struct cost {
	const char *command;
	double per_buffer_s; /* whatever its size */
	double per_gib_s;    /* populate, link and walk once */
	double trials;	     /* sampled per buffer */
	bool one_kind;	     /* baseline and control only */
};

static const struct cost costs[] = {
	{"table", 0.1, 2.8, 5, false},	 {"sweep", 0.4, 12, 80, false},
	{"fault", 0.2, 8, 0, false},	 {"control", 0.1, 2.8, 1, true},
	{"integrity", 0.3, 12, 5, true},
};

static const struct cost *cost_of(const char *command)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(costs); i++)
		if (!strcmp(costs[i].command, command))
			return &costs[i];
	return NULL;
}

static double buffers(const struct cost *cost,
		      const struct hp_probe_options *options)
{
	struct hp_kinds kinds = {.n = 1};

	if (!cost->one_kind && hp_settings_kinds(&kinds, options))
		kinds.n = 1;
	return (double)(kinds.n + 1) * options->rounds;
}

static double estimate(const char *command,
		       const struct hp_probe_options *options)
{
	const struct cost *cost = cost_of(command);
	double gib, chunk_s = 0.0025;

	if (!cost)
		return 0;
	gib = (double)options->span / (double)HP_GIB;
	return 10 + buffers(cost, options) *
			    (cost->per_buffer_s + cost->per_gib_s * gib +
			     cost->trials * 2 * options->chunks * chunk_s);
}

HP_EXPORT double hp_probe_bound(const char *command,
				const struct hp_probe_options *options)
{
	double seconds = !strcmp(command, "granule")
				 ? hp_granule_bound(options)
				 : estimate(command, options);

	return options->limit_s > 0 && options->limit_s < seconds
		       ? options->limit_s
		       : seconds;
}
