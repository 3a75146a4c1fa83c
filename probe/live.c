/* SPDX-License-Identifier: MIT */
#include "probe/live.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/gate.h"
#include "probe/host.h"
#include "probe/kernels.h"
#include "probe/live_tables.h"
#include "probe/rng.h"
#include "probe/sample.h"
#include "probe/stats.h"
#include "probe/words.h"

enum { ROUNDS = 12, LIMIT_NS = 1000000000 };

/* Less is all cache and no answer. */
#define BYTES_FEWEST (8 * HP_MIB)

/* Loads of one untimed stretch while the gate is shut. */
#define WARM_LOADS ((size_t)8192)

/* Loads before a chunk, at most: enough for some 1.3 GiB. */
#define ROAM_MOST 131072

struct probe {
	struct hp_live_want *want;
	struct hp_live_tables tables;
	struct hp_sampler sampler;
	struct hp_walk walk[HP_LIVE_WALKS];
	size_t units[HP_LIVE_WALKS];
	double ns[HP_LIVE_WALKS][ROUNDS];
	uint64_t stamp; /* of the mappings the tables belong to */
	bool stamped;
	struct hp_probe_live *out;
};

/* What one burst needs to know; hp_work_fn's argument. */
struct burst {
	struct probe *probe;
	enum hp_live_walk which;
};

static size_t walk_on(void *arg, size_t units)
{
	struct burst *burst = arg;
	static const struct hp_kernel *blind;

	if (!blind)
		blind = hp_kernel_find("blind");
	return blind->run(&burst->probe->walk[burst->which], units);
}

static void point_walk(struct probe *probe, enum hp_live_walk which)
{
	struct hp_live_table *table = &probe->tables.walk[which];
	struct hp_walk *walk = &probe->walk[which];

	walk->base = probe->tables.base;
	walk->table = table->offset;
	walk->entries = table->n;
	if (walk->entry >= table->n)
		walk->entry = 0;
}

static int refresh(struct probe *probe, uint64_t stamp)
{
	struct hp_live_view *view = &probe->want->view;
	int err = 0;

	if (probe->stamped && probe->stamp == stamp)
		return 0;
	probe->stamped = false;
	err = hp_live_view_count(view);
	if (!err)
		err = hp_live_tables_refresh(&probe->tables, view);
	if (err)
		return err;
	for (unsigned int w = HP_LIVE_SPREAD; w < HP_LIVE_WALKS; w++)
		point_walk(probe, w);
	probe->stamp = stamp;
	probe->stamped = true;
	return 0;
}

/* A handler that unmapped something would wait for us, and we for it. */
static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

static bool pin(struct probe *probe, sigset_t *before)
{
	uint64_t stamp;

	block_signals(before);
	if (hp_gate_shut(&stamp)) {
		if (refresh(probe, stamp) == 0)
			return true;
		hp_gate_open();
	}
	pthread_sigmask(SIG_SETMASK, before, NULL);
	return false;
}

static void unpin(const sigset_t *before)
{
	hp_gate_open();
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

static bool renew_any(struct probe *probe, size_t n)
{
	if (hp_live_tables_any(&probe->tables, &probe->want->view, n) ||
	    probe->tables.walk[HP_LIVE_ANY].n == 0)
		return false;
	probe->walk[HP_LIVE_ANY].entry = 0;
	point_walk(probe, HP_LIVE_ANY);
	return true;
}

static bool is_cached(enum hp_live_walk which)
{
	return which == HP_LIVE_SPREAD || which == HP_LIVE_PACKED;
}

/* A line visited twice in one chunk would be found in the cache. */
static size_t most_units(const struct probe *probe, enum hp_live_walk which)
{
	if (is_cached(which))
		return SIZE_MAX;
	if (which == HP_LIVE_ANY)
		return HP_LIVE_ANY_LINES - 2 * WARM_LOADS;
	return probe->walk[which].entries / 2;
}

static size_t units_of(struct probe *probe, enum hp_live_walk which)
{
	struct burst burst = {probe, which};
	struct hp_work work = {walk_on, &burst, 0};
	size_t *units = &probe->units[which];

	if (!*units)
		*units = hp_sample_units(&probe->sampler, &work);
	*units = hp_min(*units, most_units(probe, which));
	return *units;
}

static void do_chunk(struct probe *probe, enum hp_live_walk which,
		     struct hp_chunk *chunk)
{
	struct burst burst = {probe, which};
	struct hp_work work = {walk_on, &burst, 0};
	size_t units = units_of(probe, which);

	if (is_cached(which))
		work.warm_units = probe->walk[which].entries;
	hp_sample_chunk(&probe->sampler, &work, units, chunk);
}

/* New lines for a chunk; making the list took some of the cache. */
static bool ready_any(struct probe *probe)
{
	size_t units = probe->units[HP_LIVE_ANY];

	if (!renew_any(probe, units ? WARM_LOADS + units : HP_LIVE_ANY_LINES))
		return false;
	walk_on(&(struct burst){probe, HP_LIVE_ANY}, WARM_LOADS);
	return true;
}

static bool pinned_chunk(struct probe *probe, enum hp_live_walk which,
			 struct hp_chunk *chunk)
{
	sigset_t before;
	bool done = false;

	if (!pin(probe, &before))
		return false;
	if ((which != HP_LIVE_ANY || ready_any(probe)) &&
	    probe->walk[which].entries) {
		do_chunk(probe, which, chunk);
		done = true;
	}
	unpin(&before);
	return done;
}

static void count_fate(struct probe *probe, enum hp_probe_drop fate)
{
	struct hp_probe_chunks *chunks = &probe->out->chunks;

	chunks->total++;
	if (fate == HP_WATCH_KEPT)
		chunks->kept++;
	else
		chunks->dropped[fate]++;
}

/*
 * What a load costs is also how long ago the page tables on its way were used.
 * In a program busy with all of its memory that is, for a line of their
 * entries, about as many loads as there are such lines. So between the last
 * chunk, which was somewhere else, and this one come three times as many, all
 * over the memory.
 */
static void roam(struct probe *probe)
{
	const struct hp_live_view *view = &probe->want->view;
	uint64_t entries = probe->tables.line / sizeof(uint64_t);
	uint64_t lines = view->bytes / (view->page * entries);
	uint64_t left = hp_min(3 * lines, ROAM_MOST);
	sigset_t before;

	while (left > 0 && !hp_sampler_done(&probe->sampler) &&
	       pin(probe, &before)) {
		size_t loads = hp_min(left, WARM_LOADS);

		if (renew_any(probe, loads))
			walk_on(&(struct burst){probe, HP_LIVE_ANY}, loads);
		unpin(&before);
		left -= loads;
	}
}

/*
 * Of the sampled pages each is visited as seldom as one of so many small ones
 * is; other lines of those the next chunk visits come first, so that none is
 * reached through page tables used by nobody else.
 */
static void warm_pages(struct probe *probe, enum hp_live_walk which)
{
	struct hp_live_table *table = &probe->tables.walk[which];
	struct burst burst = {probe, which};
	sigset_t before;

	if (!pin(probe, &before))
		return;
	if (table->n > 0) {
		size_t entry, n = units_of(probe, which);

		entry = probe->walk[which].entry;
		hp_live_table_turn(table, entry, n);
		walk_on(&burst, n);
		hp_live_table_turn(table, entry, n);
		probe->walk[which].entry = entry;
	}
	unpin(&before);
}

static void settle(struct probe *probe, enum hp_live_walk which)
{
	if (which == HP_LIVE_ANY)
		roam(probe);
	else if (!is_cached(which))
		warm_pages(probe, which);
}

/* Two tries for a chunk that counts. */
static double take_value(struct probe *probe, enum hp_live_walk which)
{
	for (unsigned int try = 0; try < 2; try++) {
		struct hp_chunk chunk;

		settle(probe, which);
		if (!pinned_chunk(probe, which, &chunk))
			continue;
		count_fate(probe, chunk.fate);
		if (chunk.fate == HP_WATCH_KEPT)
			return chunk.ns;
	}
	return NAN;
}

/*
 * The twin's lines were just written, the others perhaps not touched for an
 * hour: visit all of both once, so that they start alike.
 */
static void warm_up(struct probe *probe, enum hp_live_walk which)
{
	size_t left = probe->tables.walk[which].n;

	for (; left > WARM_LOADS; left -= WARM_LOADS) {
		struct burst burst = {probe, which};
		sigset_t before;

		if (hp_sampler_done(&probe->sampler) || !pin(probe, &before))
			return;
		walk_on(&burst, WARM_LOADS);
		unpin(&before);
	}
}

static void run_rounds(struct probe *probe)
{
	unsigned int order[HP_LIVE_WALKS];
	struct hp_rng rng;

	hp_rng_seed(&rng, probe->want->seed);
	for (unsigned int w = 0; w < HP_LIVE_WALKS; w++)
		order[w] = w;
	for (unsigned int r = 0; r < ROUNDS; r++) {
		hp_rng_shuffle(&rng, order, HP_LIVE_WALKS);
		for (unsigned int i = 0; i < HP_LIVE_WALKS; i++)
			if (!hp_sampler_done(&probe->sampler))
				probe->ns[order[i]][r] =
					take_value(probe, order[i]);
	}
}

static void conclude(struct probe *probe)
{
	struct hp_probe_live *out = probe->out;
	uint64_t seed = probe->want->seed;
	double small[ROUNDS];

	for (unsigned int r = 0; r < ROUNDS; r++)
		small[r] = probe->ns[HP_LIVE_ANY][r] +
			   probe->ns[HP_LIVE_TWIN][r] -
			   probe->ns[HP_LIVE_NEAR][r];
	out->ns = hp_stats_interval(probe->ns[HP_LIVE_ANY], ROUNDS, seed);
	out->small = hp_stats_interval(small, ROUNDS, seed);
	out->translation =
		hp_stats_difference(probe->ns[HP_LIVE_SPREAD],
				    probe->ns[HP_LIVE_PACKED], ROUNDS, seed);
	out->ratio = hp_stats_ratio(probe->ns[HP_LIVE_NEAR],
				    probe->ns[HP_LIVE_TWIN], ROUNDS, seed);
	out->bytes = probe->want->view.bytes;
	out->huge_bytes = probe->want->view.huge_bytes;
	if (isnan(out->ns.value))
		hp_words(out->reason, sizeof(out->reason),
			 "too few undisturbed chunks: %u of %u",
			 out->chunks.kept, out->chunks.total);
	else if (isnan(out->ratio.value))
		hp_words(out->reason, sizeof(out->reason),
			 "no comparison with small pages");
}

/* The first look: is there anything to measure? Also readies the twin. */
static int survey(struct probe *probe)
{
	struct hp_live_view *view = &probe->want->view;
	sigset_t before;
	uint64_t stamp;
	int err = -EBUSY;

	block_signals(&before);
	if (hp_gate_shut(&stamp)) {
		err = hp_live_view_count(view);
		hp_gate_open();
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return err;
	if (view->bytes < BYTES_FEWEST) {
		hp_words(probe->out->reason, sizeof(probe->out->reason),
			 "only %llu bytes are present",
			 (unsigned long long)view->bytes);
		return -ENODATA;
	}
	hp_live_tables_twin(&probe->tables, view);
	probe->out->small_bytes = probe->tables.nsampled * view->page;
	return 0;
}

static int open_tables(struct probe *probe)
{
	struct hp_probe_machine machine;
	const struct hp_probe_cache *first, *second;

	hp_host_read(&machine, -1);
	first = hp_host_cache(&machine, 1);
	second = hp_host_cache(&machine, 2);
	return hp_live_tables_open(&probe->tables, first ? first->line : 64,
				   second ? second->size : 256 * HP_KIB,
				   probe->want->seed);
}

static void forget(struct probe *probe)
{
	static const struct hp_probe_interval none = {NAN, NAN, NAN};
	struct hp_probe_live *out = probe->out;

	*out = (struct hp_probe_live){.bytes = UINT64_MAX,
				      .huge_bytes = UINT64_MAX};
	out->ns = out->translation = out->small = out->ratio = none;
	for (unsigned int w = 0; w < HP_LIVE_WALKS; w++)
		for (unsigned int r = 0; r < ROUNDS; r++)
			probe->ns[w][r] = NAN;
}

static int measure(struct probe *probe)
{
	struct hp_live_want *want = probe->want;
	int err = survey(probe);

	if (err)
		return err;
	hp_sampler_open(&probe->sampler);
	probe->sampler.stop = want->stop;
	probe->sampler.deadline_ns =
		hp_clock_ns() + (want->limit_ns ? want->limit_ns : LIMIT_NS);
	warm_up(probe, HP_LIVE_NEAR);
	warm_up(probe, HP_LIVE_TWIN);
	run_rounds(probe);
	hp_sampler_close(&probe->sampler);
	conclude(probe);
	return 0;
}

void hp_live_measure(struct hp_live_want *want, struct hp_probe_live *out)
{
	struct probe probe = {.want = want, .out = out};
	uint64_t start = hp_clock_ns();
	int err = hp_live_view_open(&want->view);

	forget(&probe);
	if (!err) {
		err = open_tables(&probe);
		if (!err) {
			err = measure(&probe);
			hp_live_tables_close(&probe.tables);
		}
		hp_live_view_close(&want->view);
	}
	if (err && !out->reason[0])
		hp_words(out->reason, sizeof(out->reason), "%s",
			 err == -ENOTTY ? "the kernel is older than Linux 6.11"
					: strerror(-err));
	out->elapsed_s = (double)(hp_clock_ns() - start) / 1e9;
}
