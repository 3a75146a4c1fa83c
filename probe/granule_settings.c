/* SPDX-License-Identifier: MIT */
/*
 * granule_settings.c - what a granule study does, and how long it may take
 */
#include "probe/granule_settings.h"

#include "probe/granule.h"
#include "probe/granule_sweep.h"
#include "probe/host.h"
#include "probe/settings.h"

#define BLOCKS_MAX 8192
#define BLOCKS_LEAST 1024
#define ROUNDS_LEAST 3

static const struct hp_defaults defaults = {
	.span = HP_GIB,
	.patterns = "granule",
	.rounds = 5,
	.chunks = 1,
};

size_t hp_granule_leaf(size_t base, size_t claimed)
{
	size_t leaf = base, entries = base / 8;

	while (leaf <= claimed / entries)
		leaf *= entries;
	return leaf;
}

/* data and page table lines together must stay in the private cache */
static size_t most_blocks(const struct hp_probe_machine *machine, size_t line)
{
	const struct hp_probe_cache *l2 = hp_host_cache(machine, 2);
	size_t blocks = l2 ? l2->size / 2 / line : BLOCKS_MAX;

	return hp_max(hp_min(blocks, BLOCKS_MAX), BLOCKS_LEAST);
}

struct hp_granule_plan
hp_granule_plan_of(const struct hp_probe_machine *machine,
		   const struct hp_probe_options *options, size_t claimed)
{
	size_t line = hp_settings_line(machine);

	return (struct hp_granule_plan){
		.base = machine->base_page,
		.claimed = claimed,
		.span = hp_max(options->span, claimed),
		.line = line,
		.blocks = most_blocks(machine, line),
	};
}

static double kind_seconds(const struct hp_granule_plan *plan,
			   unsigned int rounds)
{
	double gib = (double)plan->span / (double)HP_GIB;

	return 2 * (HP_GRANULE_POPULATE_S_PER_GIB * gib +
		    hp_granule_sweep_seconds(plan, rounds));
}

double hp_granule_seconds(const struct hp_probe_machine *machine,
			  const struct hp_probe_options *options,
			  const struct hp_kinds *kinds)
{
	double seconds = HP_GRANULE_SPARE_S;

	for (size_t i = 0; i < kinds->n; i++) {
		struct hp_granule_plan plan = hp_granule_plan_of(
			machine, options, kinds->kind[i].size);

		seconds += kind_seconds(&plan, options->rounds);
	}
	return seconds;
}

/* fewer than three rounds give no interval */
int hp_granule_complete(const struct hp_probe_options *in,
			struct hp_probe_options *out, struct hp_kinds *kinds)
{
	int err = hp_settings_complete(out, in, &defaults);

	if (out->rounds < ROUNDS_LEAST)
		out->rounds = ROUNDS_LEAST;
	return err ? err : hp_settings_kinds(kinds, out);
}

double hp_granule_bound(const struct hp_probe_options *options)
{
	struct hp_probe_machine machine;
	struct hp_probe_options used;
	struct hp_kinds kinds;

	if (hp_granule_complete(options, &used, &kinds))
		return 0;
	hp_host_read(&machine, used.cpu);
	return hp_granule_seconds(&machine, &used, &kinds);
}
