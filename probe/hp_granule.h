/* SPDX-License-Identifier: MIT */
/*
 * hp_granule.h - how much memory one translation really covers
 *
 * The inference behind hp_probe_granule() (hp_probe.h), for latencies measured
 * in whatever way. Pure: no system, no clock, no allocation, thread-safe. A
 * figure is either supported by two independent sweeps or reported as not
 * known; it is never a guess. Sizes are bytes, times nanoseconds.
 */
#ifndef HP_GRANULE_PUBLIC_H
#define HP_GRANULE_PUBLIC_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HP_GRANULE_CURVES_MAX 80
#define HP_GRANULE_POINTS_MAX 128
#define HP_GRANULE_LEVELS_MAX 4

/**
 * struct hp_granule_point - cost of translation at one number of blocks
 * @blocks: blocks touched, one line in each, at least 1
 * @ns:     median of paired differences to the same lines packed, per load
 * @lo:     lower end of the 95 % interval of @ns
 * @hi:     upper end
 */
struct hp_granule_point {
	size_t blocks;
	double ns, lo, hi;
};

/**
 * struct hp_granule_curve - points of one block spacing, ascending by blocks
 * @spacing: bytes between blocks
 * @len:     number of points, at most HP_GRANULE_POINTS_MAX
 * @points:  owned by the caller
 */
struct hp_granule_curve {
	size_t spacing;
	size_t len;
	const struct hp_granule_point *points;
};

/**
 * struct hp_granule_sweep - curves of all spacings of one pass
 * @len:    number of curves, at most HP_GRANULE_CURVES_MAX
 * @curves: owned by the caller
 *
 * Powers of two, their triples and odd multiples of the base page, from half a
 * base page to a few claimed pages: powers of two alone let the sets of a
 * translation cache imitate a larger page.
 */
struct hp_granule_sweep {
	size_t len;
	const struct hp_granule_curve *curves;
};

/**
 * struct hp_granule_range - a figure and what it may lie between
 * @value: best figure, 0 = not known
 * @lo:    lower bound, 0 = none
 * @hi:    upper bound, INFINITY = none
 */
struct hp_granule_range {
	double value, lo, hi;
};

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

/**
 * struct hp_granule_level - one level of translation caches
 * @entries:   entries in use; @value 0 unless @granule is known
 * @reach:     bytes covered
 * @granule:   bytes an entry covers; @value 0 when several sizes fit
 * @ns:        what missing this level adds to a load
 * @diagnosis: of @granule
 */
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
 * @out:    receives the result, which holds no pointer to the sweeps;
 *	    untouched on failure
 *
 * A level must show in both sweeps. Its intervals cover both; its granule is
 * known only if both say the same.
 *
 * Return: 0; -EINVAL a sweep has more curves or points than the limits above,
 * a spacing of 0, points that do not ascend or are not finite, or @claim's
 * sizes are not ascending powers of two.
 */
int hp_granule_infer(const struct hp_granule_sweep *first,
		     const struct hp_granule_sweep *second,
		     const struct hp_granule_claim *claim,
		     struct hp_granule_result *out);

/**
 * hp_granule_diagnosis_name - "ok", "host-limit", ...
 * @diagnosis: any
 *
 * Return: the word used in reports, static.
 */
const char *hp_granule_diagnosis_name(enum hp_granule_diagnosis diagnosis);

#ifdef __cplusplus
}
#endif

#endif
