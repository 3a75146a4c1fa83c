/* SPDX-License-Identifier: MIT */
/*
 * granule_infer.c - what translation really looks like under a buffer
 */
#include "probe/hp_granule.h"

#include <math.h>

#include "libhp/common.h"
#include "probe/granule_fit.h"
#include "probe/octave.h"

/* octaves two sweeps may differ in what they measured */
#define AGREEMENT 0.3

static const struct {
	const char *name, *reason;
} words[] = {
	[HP_GRANULE_INCONCLUSIVE] = {"inconclusive", ""},
	[HP_GRANULE_OK] = {"ok", "an entry covers exactly the claimed page"},
	[HP_GRANULE_COALESCED] = {"coalesced",
				  "an entry covers several claimed pages"},
	[HP_GRANULE_HOST_LIMIT] = {"host-limit",
				   "the host maps this memory in smaller "
				   "pages than the guest"},
	[HP_GRANULE_HINT_IGNORED] = {"hint-ignored",
				     "the processor keeps one entry per page "
				     "table leaf despite the hint"},
	[HP_GRANULE_SPLIT] = {"split",
			      "entries are smaller than the claimed page: "
			      "broken up by kernel or processor"},
};

HP_EXPORT const char *
hp_granule_diagnosis_name(enum hp_granule_diagnosis diagnosis)
{
	return words[diagnosis].name;
}

static bool alike(double a, double b)
{
	return a > 0 && b > 0 && fabs(hp_octave_log(a / b)) <= AGREEMENT;
}

static bool known(const struct hp_granule_range *r)
{
	return r->value > 0;
}

/* same level? reach is compared, the figure known even if the granule is not */
static bool same_level(const struct hp_granule_fit *a,
		       const struct hp_granule_fit *b)
{
	return alike(a->reach.value, b->reach.value);
}

static struct hp_granule_range both(const struct hp_granule_range *a,
				    const struct hp_granule_range *b)
{
	struct hp_granule_range r = {hp_octave_sqrt(a->value * b->value),
				     hp_smaller(a->lo, b->lo),
				     hp_larger(a->hi, b->hi)};

	return r;
}

static enum hp_granule_diagnosis diagnose(const struct hp_granule_claim *claim,
					  double granule)
{
	if (granule <= 0)
		return HP_GRANULE_INCONCLUSIVE;
	if (granule == (double)claim->claimed)
		return HP_GRANULE_OK;
	if (granule > (double)claim->claimed)
		return HP_GRANULE_COALESCED;
	if (!claim->whole)
		return HP_GRANULE_SPLIT;
	if (granule == (double)claim->leaf)
		return HP_GRANULE_HINT_IGNORED;
	return claim->virtualised ? HP_GRANULE_HOST_LIMIT : HP_GRANULE_SPLIT;
}

static struct hp_granule_level merge(const struct hp_granule_fit *a,
				     const struct hp_granule_fit *b,
				     const struct hp_granule_claim *claim)
{
	bool agreed = known(&a->granule) && known(&b->granule) &&
		      a->granule.value == b->granule.value;
	struct hp_granule_level level = {
		.reach = both(&a->reach, &b->reach),
		.granule = both(&a->granule, &b->granule),
		.entries = both(&a->entries, &b->entries),
		.ns = (a->ns + b->ns) / 2};

	if (agreed) {
		level.granule.value = a->granule.value;
	} else {
		level.granule.value = level.entries.value = 0;
		level.entries.lo = 0;
		level.entries.hi = INFINITY;
	}
	level.diagnosis = diagnose(claim, level.granule.value);
	return level;
}

static void merge_all(const struct hp_granule_fit *a, size_t na,
		      const struct hp_granule_fit *b, size_t nb,
		      const struct hp_granule_claim *claim,
		      struct hp_granule_result *out)
{
	for (size_t i = 0, j = 0; i < na; i++) {
		size_t k = j;

		while (k < nb && !same_level(&a[i], &b[k]))
			k++;
		if (k == nb)
			continue;
		out->level[out->len++] = merge(&a[i], &b[k], claim);
		j = k + 1;
	}
}

static const char *why_not(size_t na, size_t nb,
			   const struct hp_granule_result *out)
{
	if (!na && !nb)
		return "no step that all spacings agree on, up to the span "
		       "and the blocks allowed";
	if (!out->len)
		return "the two sweeps do not agree";
	return "several granules explain the steps seen";
}

static void conclude(const struct hp_granule_claim *claim,
		     struct hp_granule_result *out)
{
	for (size_t i = 0; i < out->len; i++) {
		size_t granule = (size_t)out->level[i].granule.value;

		if (granule && (!out->effective || granule < out->effective))
			out->effective = granule;
	}
	out->diagnosis = diagnose(claim, (double)out->effective);
}

static bool curve_valid(const struct hp_granule_curve *curve)
{
	size_t before = 0;

	if (!curve->spacing || curve->len > HP_GRANULE_POINTS_MAX)
		return false;
	for (size_t i = 0; i < curve->len; i++) {
		const struct hp_granule_point *p = &curve->points[i];

		if (p->blocks <= before || !isfinite(p->ns) ||
		    !isfinite(p->lo) || !isfinite(p->hi))
			return false;
		before = p->blocks;
	}
	return true;
}

static bool sweep_valid(const struct hp_granule_sweep *sweep)
{
	if (sweep->len > HP_GRANULE_CURVES_MAX)
		return false;
	for (size_t i = 0; i < sweep->len; i++)
		if (!curve_valid(&sweep->curves[i]))
			return false;
	return true;
}

static bool claim_valid(const struct hp_granule_claim *claim)
{
	return hp_is_pow2(claim->base) && hp_is_pow2(claim->leaf) &&
	       hp_is_pow2(claim->claimed) && claim->base <= claim->leaf &&
	       claim->leaf <= claim->claimed;
}

HP_EXPORT int hp_granule_infer(const struct hp_granule_sweep *first,
			       const struct hp_granule_sweep *second,
			       const struct hp_granule_claim *claim,
			       struct hp_granule_result *out)
{
	struct hp_granule_fit a[HP_GRANULE_LEVELS_MAX];
	struct hp_granule_fit b[HP_GRANULE_LEVELS_MAX];
	struct hp_granule_result result = {0};

	if (!sweep_valid(first) || !sweep_valid(second) || !claim_valid(claim))
		return -EINVAL;
	size_t na = hp_granule_fit_sweep(first, claim->base, a);
	size_t nb = hp_granule_fit_sweep(second, claim->base, b);

	merge_all(a, na, b, nb, claim, &result);
	conclude(claim, &result);
	result.reason = result.effective ? words[result.diagnosis].reason
					 : why_not(na, nb, &result);
	*out = result;
	return 0;
}
