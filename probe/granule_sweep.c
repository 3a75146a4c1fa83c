/* SPDX-License-Identifier: MIT */
/*
 * granule_sweep.c - measure one granule sweep in one buffer
 *
 * For one number of blocks after the other, all spacings and the packed chase
 * are timed in shuffled order, so that what is subtracted from a point was
 * measured milliseconds before or after it.
 */
#include "probe/granule_sweep.h"

#include <math.h>
#include <stdlib.h>

#include "probe/kernels.h"
#include "probe/rng.h"
#include "probe/stats.h"

/*
 * The chase repeats itself within microseconds, and most of the time a point
 * takes goes by between chunks: short ones measure more in the same time.
 */
#define CHUNK_NS 300000
#define POINT_S 0.003

struct lap {
	const struct hp_granule_setup *setup;
	struct hp_sampler sampler;
	struct hp_walk walk;
	struct hp_rng rng;
	char *base;
	size_t counts[HP_GRANULE_POINTS_MAX], ncounts;
	size_t ncurves;
	size_t spacings[HP_GRANULE_CURVES_MAX];
	uint32_t *order, *packed; /* of the number of blocks at hand */
	double *values;		  /* [curve or packed][count][round] */
	struct hp_probe_chunks chunks;
};

static double *value_at(const struct lap *lap, size_t curve, size_t count)
{
	return lap->values +
	       (curve * lap->ncounts + count) * lap->setup->rounds;
}

static char *packed_line(const struct lap *lap, size_t k)
{
	return lap->base + lap->packed[k] * lap->setup->plan.line;
}

static char *sparse_line(const struct lap *lap, size_t spacing, size_t k)
{
	return lap->base + hp_granule_plan_offset(&lap->setup->plan, spacing,
						  lap->order[k]);
}

/* @spacing 0 is the packed chase */
static char *line(const struct lap *lap, size_t spacing, size_t k)
{
	return spacing ? sparse_line(lap, spacing, k) : packed_line(lap, k);
}

static void link_blocks(struct lap *lap, size_t spacing, size_t blocks)
{
	char *first = line(lap, spacing, 0), *at = first;

	for (size_t k = 1; k < blocks; k++) {
		char *next = line(lap, spacing, k);

		*(uintptr_t *)at = (uintptr_t)next;
		at = next;
	}
	*(uintptr_t *)at = (uintptr_t)first;
	lap->walk.at[0] = (uintptr_t)first;
}

static size_t walk_on(void *arg, size_t loads)
{
	struct lap *lap = arg;

	return hp_kernel_streams(1)->run(&lap->walk, loads);
}

static void add_chunks(struct hp_probe_chunks *sum,
		       const struct hp_probe_chunks *more)
{
	sum->kept += more->kept;
	sum->total += more->total;
	for (unsigned int i = 0; i < HP_PROBE_DROPS; i++)
		sum->dropped[i] += more->dropped[i];
}

static double measure(struct lap *lap, size_t spacing, size_t blocks)
{
	struct hp_work work = {walk_on, lap, 2 * blocks};
	struct hp_sample sample;

	link_blocks(lap, spacing, blocks);
	hp_sample_take(&lap->sampler, &work, 1, &sample);
	add_chunks(&lap->chunks, &sample.chunks);
	return hp_stats_median(sample.ns, sample.chunks.kept);
}

static bool fits(const struct lap *lap, size_t curve, size_t blocks)
{
	return curve == lap->ncurves ||
	       blocks <= lap->setup->plan.span / lap->spacings[curve];
}

static void measure_count(struct lap *lap, size_t count, unsigned int round)
{
	unsigned int turn[HP_GRANULE_CURVES_MAX + 1];
	size_t blocks = lap->counts[count];

	for (size_t c = 0; c <= lap->ncurves; c++)
		turn[c] = (unsigned int)c;
	hp_rng_shuffle(&lap->rng, turn, lap->ncurves + 1);
	hp_granule_plan_order(blocks, hp_rng_next(&lap->rng), lap->order);
	hp_granule_plan_packed(&lap->setup->plan, blocks,
			       hp_rng_next(&lap->rng), lap->packed);
	for (size_t c = 0; c <= lap->ncurves; c++) {
		size_t curve = turn[c];
		size_t spacing =
			curve == lap->ncurves ? 0 : lap->spacings[curve];

		if (fits(lap, curve, blocks) && !hp_sampler_done(&lap->sampler))
			value_at(lap, curve, count)[round] =
				measure(lap, spacing, blocks);
	}
}

static void measure_rounds(struct lap *lap)
{
	const struct hp_granule_setup *setup = lap->setup;
	double all = (double)setup->rounds * (double)lap->ncounts, done = 0;

	for (unsigned int r = 0; r < setup->rounds; r++)
		for (size_t i = 0; i < lap->ncounts; i++) {
			measure_count(lap, i, r);
			if (setup->progress)
				setup->progress(++done / all, setup->arg);
		}
}

static void curve_make(const struct lap *lap, size_t curve,
		       struct hp_granule_trace *trace)
{
	struct hp_granule_point *points = trace->points[curve];
	size_t n = 0;

	for (size_t i = 0; i < lap->ncounts; i++) {
		struct hp_probe_interval d = hp_stats_difference(
			value_at(lap, curve, i), value_at(lap, lap->ncurves, i),
			lap->setup->rounds, lap->setup->seed);

		if (!isnan(d.value))
			points[n++] = (struct hp_granule_point){
				lap->counts[i], d.value, d.lo, d.hi};
	}
	trace->curves[curve] =
		(struct hp_granule_curve){lap->spacings[curve], n, points};
}

static int lap_open(struct lap *lap, const struct hp_granule_setup *setup,
		    void *base)
{
	size_t n;

	*lap = (struct lap){
		.setup = setup, .base = base, .sampler = *setup->sampler};
	lap->sampler.chunk_ns = CHUNK_NS;
	hp_rng_seed(&lap->rng, setup->seed);
	lap->ncurves = hp_granule_plan_spacings(&setup->plan, lap->spacings);
	/* the smallest spacing holds the most blocks */
	lap->ncounts = hp_granule_plan_counts(&setup->plan, setup->plan.line,
					      lap->counts);
	n = (lap->ncurves + 1) * lap->ncounts * setup->rounds;
	lap->values = calloc(n, sizeof(*lap->values));
	lap->order = calloc(setup->plan.blocks, sizeof(*lap->order));
	lap->packed = calloc(setup->plan.blocks, sizeof(*lap->packed));
	if (!lap->values || !lap->order || !lap->packed)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		lap->values[i] = NAN;
	return 0;
}

static void lap_close(struct lap *lap)
{
	free(lap->values);
	free(lap->order);
	free(lap->packed);
}

int hp_granule_sweep_take(const struct hp_granule_setup *setup, void *base,
			  struct hp_granule_trace *trace)
{
	struct lap lap;
	int err = lap_open(&lap, setup, base);

	if (!err) {
		measure_rounds(&lap);
		for (size_t c = 0; c < lap.ncurves; c++)
			curve_make(&lap, c, trace);
		trace->sweep =
			(struct hp_granule_sweep){lap.ncurves, trace->curves};
		trace->chunks = lap.chunks;
	}
	lap_close(&lap);
	return err;
}

double hp_granule_sweep_seconds(const struct hp_granule_plan *plan,
				unsigned int rounds)
{
	size_t spacings[HP_GRANULE_CURVES_MAX], counts[HP_GRANULE_POINTS_MAX];
	size_t curves = hp_granule_plan_spacings(plan, spacings);
	size_t points = hp_granule_plan_counts(plan, plan->line, counts);

	for (size_t c = 0; c < curves; c++)
		points += hp_granule_plan_counts(plan, spacings[c], counts);
	return POINT_S * (double)points * rounds;
}
