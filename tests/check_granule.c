/* SPDX-License-Identifier: MIT */
/*
 * check_granule.c - the inference against processors whose answer is known
 *
 * Two claims for every machine: without noise the answer is found, and with
 * any noise a figure that is given is right.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "synthetic_machines.h"
#include "libhp/common.h"
#include "probe/hp_granule.h"
#include "tests/suite.h"

#define SEEDS 12
#define MUST_CONCLUDE 9
#define TIMEOUT_S 900
#define VALGRIND_MACHINES 3

static struct synthetic_sweep clean, first, second;

static struct hp_granule_plan plan_of(const struct sample *s)
{
	return (struct hp_granule_plan){.base = s->machine.base,
					.claimed = s->machine.guest,
					.span = s->span,
					.line = 64,
					.blocks = 8192};
}

static struct hp_granule_claim claim_of(const struct sample *s)
{
	bool hint = s->diagnosis == HP_GRANULE_HINT_IGNORED;

	return (struct hp_granule_claim){.base = s->machine.base,
					 .leaf = s->leaf,
					 .claimed = hint ? 16 * s->leaf
							 : s->machine.guest,
					 .whole = true,
					 .virtualised = s->machine.host != 0};
}

static struct hp_granule_result infer(const struct sample *s, double noise,
				      double wild, uint64_t seed)
{
	struct hp_granule_claim claim = claim_of(s);
	struct hp_granule_result result;

	synthetic_sweep_blur(&clean, noise, wild, 2 * seed, &first);
	synthetic_sweep_blur(&clean, noise, wild, 2 * seed + 1, &second);
	ck_assert_int_eq(
		hp_granule_infer(&first.sweep, &second.sweep, &claim, &result),
		0);
	return result;
}

static void simulate(const struct sample *s)
{
	struct hp_granule_plan plan = plan_of(s);

	synthetic_sweep_run(&s->machine, &plan, &clean);
}

static bool covers(const struct hp_granule_range *r, double truth)
{
	/* counts lie twelve per cent apart */
	return r->lo <= truth * 1.13 && truth <= r->hi * 1.13 &&
	       r->value > truth / 1.35 && r->value < truth * 1.35;
}

static bool is_true(const struct sample *s, const struct hp_granule_level *l)
{
	if (l->granule.value != (double)s->granule)
		return false;
	for (size_t i = 0; i < s->machine.levels; i++) {
		double entries = s->machine.level[i].entries;

		if (covers(&l->entries, entries) &&
		    covers(&l->reach, entries * (double)s->granule))
			return true;
	}
	return false;
}

static size_t known_levels(const struct hp_granule_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->len; i++)
		n += r->level[i].granule.value > 0;
	return n;
}

/* whatever is said must be so */
static void assert_true(const struct sample *s,
			const struct hp_granule_result *r)
{
	for (size_t i = 0; i < r->len; i++) {
		const struct hp_granule_level *l = &r->level[i];

		ck_assert_msg(l->granule.value <= 0 || is_true(s, l),
			      "level %zu: %.0f entries of %.0f bytes", i,
			      l->entries.value, l->granule.value);
	}
	ck_assert(r->effective == 0 || r->effective == s->granule);
	ck_assert(r->diagnosis == s->diagnosis ||
		  r->diagnosis == HP_GRANULE_INCONCLUSIVE);
	ck_assert(r->diagnosis != HP_GRANULE_INCONCLUSIVE || !r->effective);
	ck_assert_str_ne(r->reason, "");
}

static void assert_found(const struct sample *s, size_t least_levels)
{
	struct hp_granule_result r;

	simulate(s);
	r = infer(s, 0, 0, 0);
	assert_true(s, &r);
	ck_assert_uint_ge(known_levels(&r), least_levels);
	ck_assert_uint_eq(r.effective, s->granule);
	ck_assert_int_eq(r.diagnosis, s->diagnosis);
}

/* there what is read and written matters, not chance; see tests/run */
static bool under_valgrind(void)
{
	return getenv("HP_VALGRIND");
}

static uint64_t seeds(void)
{
	return under_valgrind() ? 1 : SEEDS;
}

static unsigned int most(void)
{
	return seeds() == SEEDS ? MUST_CONCLUDE : 0;
}

static unsigned int conclusions(const struct sample *s, double noise,
				double wild)
{
	unsigned int n = 0;

	for (uint64_t seed = 0; seed < seeds(); seed++) {
		struct hp_granule_result r = infer(s, noise, wild, seed);

		assert_true(s, &r);
		n += r.diagnosis != HP_GRANULE_INCONCLUSIVE;
	}
	return n;
}

/* how many levels must be found; the others may be, if they come out right */
static const struct {
	const struct sample *sample;
	size_t least_levels;
} known[] = {
	{&plain, 2},
	{&associative, 2},
	{&coalescing, 1},
	{&large, 1},
	{&gigantic, 1},
	{&host_4k_under_2m, 2},
	{&host_4k_under_1g, 2},
	{&host_16k_under_2m, 2},
	{&host_16k_under_1g, 2},
	{&hinted, 2},
	{&base_16k, 2},
	{&random_victim, 2},
};

START_TEST(finds_the_truth_without_noise)
{
	assert_found(known[_i].sample, known[_i].least_levels);
}
END_TEST

START_TEST(five_per_cent_noise_neither_misleads_nor_silences)
{
	simulate(known[_i].sample);
	ck_assert_uint_ge(conclusions(known[_i].sample, 0.05, 0), most());
}
END_TEST

START_TEST(heavy_noise_never_misleads)
{
	simulate(known[_i].sample);
	conclusions(known[_i].sample, 0.05, 0.03);
	conclusions(known[_i].sample, 0.2, 0);
	conclusions(known[_i].sample, 0.5, 0);
}
END_TEST

START_TEST(pages_of_two_sizes_are_inconclusive)
{
	simulate(&two_sizes);
	ck_assert_uint_eq(conclusions(&two_sizes, 0, 0), 0);
	ck_assert_uint_eq(conclusions(&two_sizes, 0.05, 0), 0);
}
END_TEST

START_TEST(a_span_without_a_miss_is_inconclusive)
{
	simulate(&all_covered);
	ck_assert_uint_eq(conclusions(&all_covered, 0, 0), 0);
	ck_assert_uint_eq(conclusions(&all_covered, 0.05, 0), 0);
}
END_TEST

/* a step at one number of lines, whatever the spacing: a cache, not a TLB */
START_TEST(a_data_cache_is_no_translation_level)
{
	simulate(&plain);
	for (size_t c = 0; c < clean.sweep.len; c++)
		for (size_t i = 0; i < clean.curves[c].len; i++)
			clean.points[c][i].ns =
				clean.points[c][i].blocks > 600 ? 4 : 0;
	ck_assert_uint_eq(conclusions(&plain, 0, 0), 0);
	ck_assert_uint_eq(conclusions(&plain, 0.05, 0), 0);
}
END_TEST

START_TEST(sweeps_that_disagree_are_inconclusive)
{
	static struct synthetic_sweep other;
	struct hp_granule_claim claim = claim_of(&host_4k_under_2m);
	struct hp_granule_result r;

	simulate(&large);
	other = clean;
	other.sweep.curves = other.curves;
	for (size_t c = 0; c < other.sweep.len; c++)
		other.curves[c].points = other.points[c];
	simulate(&host_4k_under_2m);
	ck_assert_int_eq(
		hp_granule_infer(&clean.sweep, &other.sweep, &claim, &r), 0);
	ck_assert_int_eq(r.diagnosis, HP_GRANULE_INCONCLUSIVE);
	ck_assert_uint_eq(r.effective, 0);
}
END_TEST

START_TEST(smaller_than_claimed_is_split_unless_a_host_explains_it)
{
	struct hp_granule_claim claim = claim_of(&host_4k_under_2m);
	struct hp_granule_result r;

	simulate(&host_4k_under_2m);
	claim.virtualised = false;
	ck_assert_int_eq(
		hp_granule_infer(&clean.sweep, &clean.sweep, &claim, &r), 0);
	ck_assert_int_eq(r.diagnosis, HP_GRANULE_SPLIT);
	claim.virtualised = true;
	claim.whole = false;
	ck_assert_int_eq(
		hp_granule_infer(&clean.sweep, &clean.sweep, &claim, &r), 0);
	ck_assert_int_eq(r.diagnosis, HP_GRANULE_SPLIT);
}
END_TEST

static Suite *granule_suite(void)
{
	Suite *suite = suite_create("granule");
	TCase *truth = tcase_create("synthetic machines");
	TCase *tcase = tcase_create("doubt");
	int n = (int)HP_ARRAY_SIZE(known);

	if (under_valgrind()) {
		puts("NOTE: some machines and seeds only: valgrind is slow");
		n = VALGRIND_MACHINES;
	}

	/* for valgrind's sake */
	tcase_set_timeout(truth, TIMEOUT_S);
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_loop_test(truth, finds_the_truth_without_noise, 0, n);
	tcase_add_loop_test(
		truth, five_per_cent_noise_neither_misleads_nor_silences, 0, n);
	tcase_add_loop_test(truth, heavy_noise_never_misleads, 0, n);
	tcase_add_test(tcase, pages_of_two_sizes_are_inconclusive);
	tcase_add_test(tcase, a_span_without_a_miss_is_inconclusive);
	tcase_add_test(tcase, a_data_cache_is_no_translation_level);
	tcase_add_test(tcase, sweeps_that_disagree_are_inconclusive);
	tcase_add_test(tcase,
		       smaller_than_claimed_is_split_unless_a_host_explains_it);
	suite_add_tcase(suite, truth);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(granule_suite());
}
