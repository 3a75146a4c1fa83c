/* SPDX-License-Identifier: MIT */
/*
 * trial.h - one way of walking a buffer, and doing it
 */
#ifndef HP_TRIAL_H
#define HP_TRIAL_H

#include "probe/buffer.h"
#include "probe/chain.h"
#include "probe/kernels.h"
#include "probe/perf.h"
#include "probe/sample.h"

/* How the memory is made ready for the kernel. */
enum hp_prepare {
	HP_PREPARE_LINK,    /* a chain of pointers */
	HP_PREPARE_MASKED,  /* the same, each XORed with a key */
	HP_PREPARE_TABLE,   /* the order outside; memory is only read */
	HP_PREPARE_SCATTER, /* random words all over */
	HP_PREPARE_RELINK,  /* a chain in another order after every lap */
};

struct hp_trial {
	const char *pattern; /* as the results name it */
	enum hp_prepare prepare;
	const struct hp_kernel *kernel;
	struct hp_layout layout;
	uint64_t span; /* bytes of the buffer used */
	uint64_t seed;
	char reason[96]; /* why it cannot be run; empty if it can */
};

/**
 * hp_trial_bytes - how long a buffer the trial needs
 */
uint64_t hp_trial_bytes(const struct hp_trial *trial);

struct hp_trial_outcome {
	struct hp_sample sample; /* ns per load, fate of the chunks */
	struct hp_probe_counters counters;
};

/**
 * hp_trial_run - prepare the buffer, walk one lap warm, then time it
 * @trial:   what to do
 * @buffer:  populated, at least hp_trial_bytes() long
 * @sampler: of the calling thread
 * @perf:    of the calling thread
 * @chunks:  to keep
 * @out:     receives the outcome
 *
 * Chains are verified on the way. Allocates only for HP_PREPARE_TABLE.
 *
 * Return: 0; -EIO a chain is not one cycle; -EINTR out of time; -ENOMEM.
 */
int hp_trial_run(const struct hp_trial *trial, const struct hp_buffer *buffer,
		 const struct hp_sampler *sampler, struct hp_perf *perf,
		 size_t chunks, struct hp_trial_outcome *out) HP_MUST_CHECK;

#endif
