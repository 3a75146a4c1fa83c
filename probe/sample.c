/* SPDX-License-Identifier: MIT */
#include "probe/sample.h"

#include "libhp/common.h"
#include "probe/stats.h"

enum { TRIES_SPARE = 6, CHUNK_NS = 1500000 };
enum { TRIES_MAX = 2 * HP_SAMPLE_CHUNKS_MAX + TRIES_SPARE };

static const double tier_slack = 1.12;

void hp_sampler_open(struct hp_sampler *sampler)
{
	hp_watch_open(&sampler->watch);
	hp_clock_calibrate(&sampler->clock);
	sampler->chunk_ns = CHUNK_NS;
	sampler->deadline_ns = 0;
	sampler->stop = NULL;
}

void hp_sampler_close(struct hp_sampler *sampler)
{
	hp_watch_close(&sampler->watch);
}

bool hp_sampler_done(const struct hp_sampler *sampler)
{
	if (sampler->stop && *sampler->stop)
		return true;
	return sampler->deadline_ns && hp_clock_ns() > sampler->deadline_ns;
}

static double time_work(const struct hp_sampler *sampler,
			const struct hp_work *work, size_t units, size_t *done)
{
	uint64_t start = hp_clock_ns();

	*done = work->run(work->arg, units);
	return (double)(hp_clock_ns() - start) - sampler->clock.read_ns;
}

/*
 * Grow the work until it can be timed, then scale it to one chunk. Timed
 * twice: an interruption would make the chunk too short to be warm.
 */
size_t hp_sample_units(const struct hp_sampler *sampler,
		       const struct hp_work *work)
{
	double target = (double)sampler->chunk_ns, took = 0, again;
	size_t units = 512, done = 1;

	while (took < target / 16 && units < SIZE_MAX / 8) {
		units *= 2;
		took = time_work(sampler, work, units, &done);
	}
	again = time_work(sampler, work, units, &done);
	took = again > 0 && again < took ? again : took;
	return hp_max(1, (size_t)((double)done / took * target));
}

void hp_sample_chunk(const struct hp_sampler *sampler,
		     const struct hp_work *work, size_t units,
		     struct hp_chunk *chunk)
{
	struct hp_moment before, after;
	size_t done;
	double took;

	if (work->warm_units)
		work->run(work->arg, work->warm_units);
	hp_watch_before(&sampler->watch, &before);
	took = time_work(sampler, work, units, &done);
	hp_watch_after(&sampler->watch, &after);
	chunk->ns = took / (double)done;
	chunk->cycle_ns = (before.cycle_ns + after.cycle_ns) / 2;
	chunk->fate = hp_watch_verdict(&before, &after);
}

static double median_clock(const struct hp_chunk *chunk, size_t n)
{
	double clocks[TRIES_MAX];
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (chunk[i].fate == HP_WATCH_KEPT)
			clocks[kept++] = chunk[i].cycle_ns;
	return hp_stats_median(clocks, kept);
}

static size_t count_slower(const struct hp_chunk *chunk, size_t n, double than)
{
	size_t slower = 0;

	for (size_t i = 0; i < n; i++)
		slower += chunk[i].fate == HP_WATCH_KEPT &&
			  chunk[i].cycle_ns > than;
	return slower;
}

static double slowest_allowed(const struct hp_chunk *chunk, size_t n,
			      double best)
{
	size_t kept = count_slower(chunk, n, 0);

	if (2 * count_slower(chunk, n, best * tier_slack) > kept)
		return median_clock(chunk, n) * tier_slack;
	return best * tier_slack;
}

void hp_sample_judge(struct hp_chunk *chunk, size_t n, double best,
		     struct hp_sample *out)
{
	double allowed = slowest_allowed(chunk, n, best);

	out->chunks = (struct hp_probe_chunks){.total = (uint32_t)n};
	for (size_t i = 0; i < n; i++) {
		if (chunk[i].fate == HP_WATCH_KEPT &&
		    chunk[i].cycle_ns > allowed)
			chunk[i].fate = HP_PROBE_CLOCK;
		if (chunk[i].fate == HP_WATCH_KEPT)
			out->ns[out->chunks.kept++] = chunk[i].ns;
		else
			out->chunks.dropped[chunk[i].fate]++;
	}
	out->cycle_ns = median_clock(chunk, n);
}

void hp_sample_take(const struct hp_sampler *sampler,
		    const struct hp_work *work, size_t chunks,
		    struct hp_sample *out)
{
	struct hp_chunk chunk[TRIES_MAX];
	size_t units = hp_sample_units(sampler, work);
	size_t kept = 0, tried = 0;

	chunks = hp_min(chunks, HP_SAMPLE_CHUNKS_MAX);
	while (kept < chunks && tried < 2 * chunks + TRIES_SPARE &&
	       !hp_sampler_done(sampler)) {
		hp_sample_chunk(sampler, work, units, &chunk[tried]);
		kept += chunk[tried++].fate == HP_WATCH_KEPT;
	}
	hp_sample_judge(chunk, tried, sampler->clock.cycle_ns, out);
}
