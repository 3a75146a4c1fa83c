/* SPDX-License-Identifier: MIT */
#include "probe/trial.h"

#include <math.h>
#include <stdlib.h>

#include "libhp/linux.h"
#include "probe/clock.h"

enum {
	LAP_MAX = 32768,
	SCATTER_STEP = 16 * HP_MIB,
	WARM_STEP = 8192,
	WARM_NS = 500000000,
};

/* What a running trial carries along; hp_work_fn's argument. */
struct run {
	const struct hp_trial *trial;
	const struct hp_sampler *sampler;
	struct hp_chain chain;
	struct hp_walk walk;
	void *base;
	uint64_t loads;	 /* made so far */
	uint64_t *table; /* of HP_PREPARE_TABLE */
};

uint64_t hp_trial_bytes(const struct hp_trial *trial)
{
	return hp_max(trial->span, hp_layout_bytes(&trial->layout));
}

/* Streams start evenly spread along the one cycle. */
static void place_streams(struct run *run)
{
	unsigned int streams = run->trial->kernel->streams;
	uint64_t nodes = run->chain.layout.nodes;

	for (unsigned int i = 0; i < streams; i++) {
		unsigned __int128 step = (unsigned __int128)nodes * i / streams;

		run->walk.at[i] =
			hp_chain_node(&run->chain, run->base, (uint64_t)step);
	}
}

static bool is_over(const void *arg)
{
	return hp_sampler_done(arg);
}

static int link_chain(struct run *run, uint64_t seed, bool masked)
{
	hp_chain_init(&run->chain, &run->trial->layout, seed, masked);
	run->chain.quit = is_over;
	run->chain.quit_arg = run->sampler;
	hp_chain_link(&run->chain, run->base);
	run->walk.key = run->chain.key;
	place_streams(run);
	return hp_chain_verify(&run->chain, run->base);
}

static int make_table(struct run *run)
{
	size_t nodes = run->trial->layout.nodes;

	run->table = calloc(nodes, sizeof(*run->table));
	if (!run->table)
		return -ENOMEM;
	hp_chain_init(&run->chain, &run->trial->layout, run->trial->seed,
		      false);
	hp_chain_offsets(&run->chain, 0, run->table, nodes);
	run->walk.table = run->table;
	run->walk.entries = nodes;
	run->trial->kernel->run(&run->walk, nodes);
	return 0;
}

/*
 * There is no lap to walk. Yet a page met for the first time is reached through
 * page tables that no cache holds, and in a chunk of some thousand loads over
 * a large span all are such: two loads a page come first, or half a second.
 */
static void warm_scattered(struct run *run)
{
	uint64_t left = 2 * run->trial->span / hp_linux_page_size();
	uint64_t end = hp_clock_ns() + WARM_NS;

	while (left > 0 && hp_clock_ns() < end &&
	       !hp_sampler_done(run->sampler)) {
		uint64_t n = hp_min(left, WARM_STEP);

		run->trial->kernel->run(&run->walk, n);
		left -= n;
	}
}

static int scatter(struct run *run)
{
	size_t words = run->trial->span / sizeof(uint64_t);
	size_t bytes = words * sizeof(uint64_t);

	for (size_t i = 0; i < bytes; i += SCATTER_STEP) {
		if (hp_sampler_done(run->sampler))
			return -EINTR;
		hp_chain_scatter((char *)run->base + i,
				 hp_min(SCATTER_STEP, bytes - i),
				 run->trial->seed + i);
	}
	run->walk.mask = ((uint64_t)1 << hp_log2(words)) - 1;
	warm_scattered(run);
	return 0;
}

static int prepare(struct run *run)
{
	run->walk.base = (uintptr_t)run->base;
	switch (run->trial->prepare) {
	case HP_PREPARE_LINK:
	case HP_PREPARE_RELINK:
		return link_chain(run, run->trial->seed, false);
	case HP_PREPARE_MASKED:
		return link_chain(run, run->trial->seed, true);
	case HP_PREPARE_TABLE:
		return make_table(run);
	case HP_PREPARE_SCATTER:
		return scatter(run);
	}
	return 0;
}

static size_t walk_on(void *arg, size_t units)
{
	struct run *run = arg;
	size_t done = run->trial->kernel->run(&run->walk, units);

	run->loads += done;
	return done;
}

static void merge(struct hp_sample *into, const struct hp_sample *from)
{
	uint32_t room = HP_SAMPLE_CHUNKS_MAX - into->chunks.kept;
	uint32_t more = (uint32_t)hp_min(from->chunks.kept, room);

	for (uint32_t i = 0; i < more; i++)
		into->ns[into->chunks.kept++] = from->ns[i];
	into->chunks.total += from->chunks.total;
	for (unsigned int i = 0; i < HP_PROBE_DROPS; i++)
		into->chunks.dropped[i] += from->chunks.dropped[i];
	if (more)
		into->cycle_ns = from->cycle_ns;
}

/*
 * Whoever runs between two chunks leaves a cold cache behind. A lap mends
 * that where one is cheap; a longer chain does not fit a private cache anyway.
 */
static struct hp_work work_of(struct run *run)
{
	uint64_t nodes = run->trial->layout.nodes;

	return (struct hp_work){
		.run = walk_on,
		.arg = run,
		.warm_units = nodes <= LAP_MAX ? nodes : 0,
	};
}

/* One chunk an order: no sequence is ever walked twice. */
static int sample_relinked(struct run *run, const struct hp_sampler *sampler,
			   size_t chunks, struct hp_sample *out)
{
	struct hp_work work = {.run = walk_on, .arg = run};
	struct hp_sample one;
	int err = 0;

	*out = (struct hp_sample){0};
	for (size_t i = 0; i < chunks && !err; i++) {
		err = link_chain(run, run->trial->seed + i + 1, false);
		hp_sample_take(sampler, &work, 1, &one);
		merge(out, &one);
	}
	return err;
}

static void sample(struct run *run, const struct hp_sampler *sampler,
		   struct hp_perf *perf, size_t chunks,
		   struct hp_trial_outcome *out)
{
	struct hp_work work = work_of(run);

	hp_perf_start(perf);
	hp_sample_take(sampler, &work, chunks, &out->sample);
	hp_perf_stop(perf, (double)run->loads, &out->counters);
}

int hp_trial_run(const struct hp_trial *trial, const struct hp_buffer *buffer,
		 const struct hp_sampler *sampler, struct hp_perf *perf,
		 size_t chunks, struct hp_trial_outcome *out)
{
	struct run run = {
		.trial = trial,
		.sampler = sampler,
		.base = buffer->addr,
	};
	int err = prepare(&run);

	out->counters = (struct hp_probe_counters){NAN, NAN};
	if (!err && trial->prepare == HP_PREPARE_RELINK)
		err = sample_relinked(&run, sampler, chunks, &out->sample);
	else if (!err)
		sample(&run, sampler, perf, chunks, out);
	free(run.table);
	return err;
}
