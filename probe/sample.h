/* SPDX-License-Identifier: MIT */
/*
 * sample.h - time work in short chunks and keep only the undisturbed ones
 *
 * A chunk is 1-5 ms of work between two readings of probe/watch.h: long enough
 * for the clock, short enough that most escape the scheduler. No allocation;
 * the number of chunks tried is bounded, so sampling ends whatever the noise.
 */
#ifndef HP_SAMPLE_H
#define HP_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "probe/clock.h"
#include "probe/watch.h"

enum { HP_SAMPLE_CHUNKS_MAX = 256 };

/**
 * typedef hp_work_fn - the work being timed
 * @arg:   the caller's
 * @units: how much of it to do, e.g. loads
 *
 * Return: how much was done, at least 1.
 */
typedef size_t hp_work_fn(void *arg, size_t units);

/* the work, how much of it makes it warm, and its argument */
struct hp_work {
	hp_work_fn *run;
	void *arg;
	size_t warm_units; /* done untimed before every chunk; may be 0 */
};

struct hp_sampler {
	struct hp_watch watch;
	struct hp_clock clock;
	uint64_t chunk_ns;    /* length aimed at */
	uint64_t deadline_ns; /* hp_clock_ns() after which to stop; 0 none */
	const volatile int *stop; /* non-zero: stop; may be NULL */
};

struct hp_chunk {
	double ns;		 /* per unit, the clock's own cost taken off */
	double cycle_ns;	 /* core clock around it */
	enum hp_probe_drop fate; /* HP_WATCH_KEPT or why it was dropped */
};

struct hp_sample {
	double ns[HP_SAMPLE_CHUNKS_MAX]; /* of the kept chunks, unsorted */
	double cycle_ns;		 /* median over the kept ones */
	struct hp_probe_chunks chunks;
};

/**
 * hp_sampler_open - calibrate and start watching the calling thread
 * @sampler: receives it; chunks of 1.5 ms, no deadline
 *
 * Takes about 60 ms. Call on the cpu that is going to measure.
 */
void hp_sampler_open(struct hp_sampler *sampler);
void hp_sampler_close(struct hp_sampler *sampler);

/* hp_sampler_done - past the deadline, or told to stop? */
bool hp_sampler_done(const struct hp_sampler *sampler);

/* hp_sample_units - how much of @work makes one chunk; runs some of it */
size_t hp_sample_units(const struct hp_sampler *sampler,
		       const struct hp_work *work);

/* hp_sample_chunk - one chunk of @units, warmed first, and its fate */
void hp_sample_chunk(const struct hp_sampler *sampler,
		     const struct hp_work *work, size_t units,
		     struct hp_chunk *chunk);

/**
 * hp_sample_take - time @chunks chunks of @work
 * @sampler: an open sampler of this thread
 * @work:    must go on where its last call ended
 * @chunks:  kept ones wanted, at most HP_SAMPLE_CHUNKS_MAX
 * @out:     receives them; may hold fewer, even none
 *
 * Tries at most twice as many chunks as wanted, and six more.
 */
void hp_sample_take(const struct hp_sampler *sampler,
		    const struct hp_work *work, size_t chunks,
		    struct hp_sample *out);

/**
 * hp_sample_judge - drop chunks off the best clock tier and count fates
 * @chunk: what was measured; @n of them
 * @best:  length of a core cycle at the fastest tier known
 * @out:   receives what is left
 *
 * Pure. A chunk whose core clock is more than 12 % slower than @best ran on a
 * slow core or a lowered clock. Where that would drop most chunks, the tier
 * was a passing one, and the median clock of the chunks is used instead.
 */
void hp_sample_judge(struct hp_chunk *chunk, size_t n, double best,
		     struct hp_sample *out);

#endif
