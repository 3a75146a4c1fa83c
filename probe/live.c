/* SPDX-License-Identifier: MIT */
#include "probe/live.h"

#include <math.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/gate.h"
#include "probe/host.h"
#include "probe/live_walk.h"
#include "probe/rng.h"
#include "probe/stats.h"
#include "probe/words.h"

enum { ROUNDS = 12, LIMIT_NS = 1000000000 };

/* Less is all cache and no answer. */
#define BYTES_FEWEST (8 * HP_MIB)

struct probe {
	struct hp_live_want *want;
	struct hp_live_walker walker;
	double ns[HP_LIVE_WALKS][ROUNDS];
	struct hp_probe_live *out;
};

static void count_fate(struct probe *probe, enum hp_probe_drop fate)
{
	struct hp_probe_chunks *chunks = &probe->out->chunks;

	chunks->total++;
	if (fate == HP_WATCH_KEPT)
		chunks->kept++;
	else
		chunks->dropped[fate]++;
}

/* Two tries for a chunk that counts. */
static double take_value(struct probe *probe, enum hp_live_walk which)
{
	for (unsigned int try = 0; try < 2; try++) {
		struct hp_chunk chunk;

		if (!hp_live_walker_chunk(&probe->walker, which, &chunk))
			continue;
		count_fate(probe, chunk.fate);
		if (chunk.fate == HP_WATCH_KEPT)
			return chunk.ns;
	}
	return NAN;
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
			if (!hp_sampler_done(&probe->walker.sampler))
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

	hp_live_block_signals(&before);
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
	hp_live_tables_twin(&probe->walker.tables, view);
	probe->out->small_bytes = probe->walker.tables.nsampled * view->page;
	return 0;
}

static int open_tables(struct probe *probe)
{
	struct hp_probe_machine machine;
	const struct hp_probe_cache *first, *second;

	hp_host_read(&machine, -1);
	first = hp_host_cache(&machine, 1);
	second = hp_host_cache(&machine, 2);
	return hp_live_tables_open(
		&probe->walker.tables, first ? first->line : 64,
		second ? second->size : 256 * HP_KIB, probe->want->seed);
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
	hp_sampler_open(&probe->walker.sampler);
	probe->walker.sampler.stop = want->stop;
	probe->walker.sampler.deadline_ns =
		hp_clock_ns() + (want->limit_ns ? want->limit_ns : LIMIT_NS);
	hp_live_walker_visit(&probe->walker, HP_LIVE_NEAR);
	hp_live_walker_visit(&probe->walker, HP_LIVE_TWIN);
	run_rounds(probe);
	hp_sampler_close(&probe->walker.sampler);
	conclude(probe);
	return 0;
}

void hp_live_measure(struct hp_live_want *want, struct hp_probe_live *out)
{
	struct probe probe = {
		.want = want,
		.walker.view = &want->view,
		.out = out,
	};
	uint64_t start = hp_clock_ns();
	int err = hp_live_view_open(&want->view);

	forget(&probe);
	if (!err) {
		err = open_tables(&probe);
		if (!err) {
			err = measure(&probe);
			hp_live_tables_close(&probe.walker.tables);
		}
		hp_live_view_close(&want->view);
	}
	if (err && !out->reason[0])
		hp_words(out->reason, sizeof(out->reason), "%s",
			 err == -ENOTTY ? "the kernel is older than Linux 6.11"
					: strerror(-err));
	out->elapsed_s = (double)(hp_clock_ns() - start) / 1e9;
}
