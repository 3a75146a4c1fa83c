/* SPDX-License-Identifier: MIT */
/*
 * granule_infer.h - what translation really looks like under a buffer
 *
 * Pure: no system, no clock, no allocation. A figure is either supported by
 * two independent sweeps or reported as not known; it is never a guess.
 */
#ifndef HP_GRANULE_INFER_H
#define HP_GRANULE_INFER_H

#include <stdbool.h>
#include <stddef.h>

#include "libhp/common.h"
#include "probe/granule_fit.h"

/**
 * enum hp_granule_diagnosis - effective granule against the claimed page
 * @HP_GRANULE_INCONCLUSIVE: not known; the reason says why
 * @HP_GRANULE_OK:           an entry covers exactly the claimed page
 * @HP_GRANULE_COALESCED:    an entry covers several claimed pages
 * @HP_GRANULE_HOST_LIMIT:   smaller than claimed, under a hypervisor whose own
 *			     page tables can be the only cause
 * @HP_GRANULE_HINT_IGNORED: the contiguous or large-folio hint buys nothing:
 *			     an entry covers one page table leaf
 * @HP_GRANULE_SPLIT:        smaller than claimed: the mapping is broken up, or
 *			     the processor keeps large pages in small entries
 */
enum hp_granule_diagnosis {
	HP_GRANULE_INCONCLUSIVE,
	HP_GRANULE_OK,
	HP_GRANULE_COALESCED,
	HP_GRANULE_HOST_LIMIT,
	HP_GRANULE_HINT_IGNORED,
	HP_GRANULE_SPLIT,
};

/**
 * struct hp_granule_claim - what the kernel says about the buffer
 * @base:        bytes of its base page, a power of two
 * @leaf:        bytes of one page table leaf; less than @claimed where several
 *		 leaves carry a hint to be kept as one
 * @claimed:     bytes of the page it was mapped with
 * @whole:       the kernel was seen to back all of it so
 * @virtualised: a hypervisor translates once more
 */
struct hp_granule_claim {
	size_t base, leaf, claimed;
	bool whole, virtualised;
};

/* one translation level; see struct hp_granule_fit for the figures */
struct hp_granule_level {
	struct hp_granule_range entries, reach, granule;
	double ns;
	enum hp_granule_diagnosis diagnosis;
};

/**
 * struct hp_granule_result - answer for one buffer
 * @len:       levels found, nearest first
 * @level:     they
 * @effective: smallest granule known of any level, bytes; 0 = not known
 * @diagnosis: that granule against the claim
 * @reason:    one sentence, static
 */
struct hp_granule_result {
	size_t len;
	struct hp_granule_level level[HP_GRANULE_LEVELS_MAX];
	size_t effective;
	enum hp_granule_diagnosis diagnosis;
	const char *reason;
};

/**
 * hp_granule_infer - entries, reach, granule of each level, and a diagnosis
 * @first:  one sweep
 * @second: its repetition in another buffer with another seed
 * @claim:  what the kernel says
 * @out:    receives the result; untouched on failure
 *
 * A level must show in both sweeps. Its intervals cover both; its granule is
 * known only if both say the same.
 *
 * Return: 0; -EINVAL if a sweep has more curves or points than the limits of
 * granule_plan.h, or @claim's sizes are not ascending powers of two.
 */
int hp_granule_infer(const struct hp_granule_sweep *first,
		     const struct hp_granule_sweep *second,
		     const struct hp_granule_claim *claim,
		     struct hp_granule_result *out) HP_MUST_CHECK;

/**
 * hp_granule_diagnosis_name - "ok", "host-limit", …
 * @diagnosis: any
 *
 * Return: the word used in reports, static.
 */
const char *hp_granule_diagnosis_name(enum hp_granule_diagnosis diagnosis);

#endif
