/* SPDX-License-Identifier: MIT */
/*
 * granule.h - the effective translation granule of every kind of page
 *
 * Each kind is measured in two fresh buffers with different seeds; only what
 * both show is reported (probe/granule_infer.h).
 */
#ifndef HP_GRANULE_H
#define HP_GRANULE_H

#include "probe/granule_infer.h"
#include "probe/granule_sweep.h"
#include "probe/kind.h"

/**
 * struct hp_granule_finding - one kind of page
 * @pages:   name of the kind
 * @backing: what the kernel said, the worse of both buffers
 * @claim:   the page sizes claimed
 * @plan:    what was swept
 * @trace:   both sweeps; NULL if not measured
 * @result:  what they show
 * @reason:  why there is no result, or why the backing is not verified
 */
struct hp_granule_finding {
	char pages[16];
	struct hp_probe_backing backing;
	struct hp_granule_claim claim;
	struct hp_granule_plan plan;
	struct hp_granule_trace *trace[2];
	struct hp_granule_result result;
	char reason[128];
};

/**
 * struct hp_granule_study - all of it
 * @machine:     where
 * @options:     as used; pointers not kept
 * @pages:       options.pages as used
 * @nfindings:   kinds
 * @findings:    one each
 * @valid:       at least one kind was measured
 * @interrupted: stopped, or out of time
 * @bound_s:     seconds it might have taken
 * @elapsed_s:   seconds it took
 */
struct hp_granule_study {
	struct hp_probe_machine machine;
	struct hp_probe_options options;
	char pages[128];
	size_t nfindings;
	struct hp_granule_finding findings[HP_KINDS_MAX];
	bool valid, interrupted;
	double bound_s, elapsed_s;
};

/**
 * hp_granule_bound - seconds hp_granule_study_run() will take at most
 * @options: NULL for defaults
 *
 * Return: seconds; 0 if the options are not valid.
 */
double hp_granule_bound(const struct hp_probe_options *options);

/**
 * hp_granule_study_run - measure and infer
 * @options: span, pages, rounds, cpu, seed, progress, stop; NULL for defaults
 * @out:     receives the study; untouched on failure. The caller owns it.
 *
 * Pins the calling thread while it runs. A kind that cannot be had is a
 * finding with a reason.
 *
 * Return: 0; -EINVAL an option is out of range; -ENOMEM the span does not fit.
 */
int hp_granule_study_run(const struct hp_probe_options *options,
			 struct hp_granule_study **out) HP_MUST_CHECK;

/* hp_granule_study_free - @study may be NULL */
void hp_granule_study_free(struct hp_granule_study *study);

/**
 * hp_granule_leaf - bytes of one page table leaf under a claimed page
 * @base:    bytes of the base page; tables have @base / 8 entries
 * @claimed: bytes of the page the kernel claims
 *
 * A size between two leaves is a row of smaller leaves with a hint, such as
 * 64K and 32M on arm64.
 *
 * Return: the largest leaf not above @claimed.
 */
size_t hp_granule_leaf(size_t base, size_t claimed);

#endif
