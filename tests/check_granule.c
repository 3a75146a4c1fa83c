/* SPDX-License-Identifier: MIT */
/*
 * check_granule.c - the inference against processors whose answer is known
 *
 * Two claims for every machine: without noise the answer is found, and with
 * any noise a figure that is given is right.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "synthetic_tlb.h"
#include "libhp/common.h"
#include "probe/granule_infer.h"

#define SEEDS 12
#define MUST_CONCLUDE 9
#define TIMEOUT_S 900
#define PAGE 4096
#define SMALL_L2 16384
#define LARGE_L2 32768

/* what runs and what must come out; granule 0 = nothing can be known */
struct sample {
	struct synthetic_machine machine;
	size_t span, leaf, granule;
	enum hp_granule_diagnosis diagnosis;
};

static const struct sample plain = {
	{.base = PAGE, .guest = PAGE, .coalesce = 1, .levels = 2,
	 .level = {{64, 4, false, false}, {1536, 12, true, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, PAGE, PAGE, HP_GRANULE_OK};

static const struct sample associative = {
	{.base = PAGE, .guest = PAGE, .coalesce = 1, .levels = 2,
	 .level = {{96, 0, false, false}, {4096, 16, false, false}},
	 .l1_lines = 768, .l2_lines = SMALL_L2},
	4 * HP_GIB, PAGE, PAGE, HP_GRANULE_OK};

static const struct sample coalescing = {
	{.base = PAGE, .guest = PAGE, .coalesce = 4, .levels = 2,
	 .level = {{96, 0, false, false}, {4096, 16, false, false}},
	 .l1_lines = 768, .l2_lines = SMALL_L2},
	4 * HP_GIB, PAGE, 4 * PAGE, HP_GRANULE_COALESCED};

static const struct sample large = {
	{.base = PAGE, .guest = 2 * HP_MIB, .coalesce = 1, .levels = 2,
	 .level = {{32, 4, false, false}, {1536, 12, true, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, 2 * HP_MIB, 2 * HP_MIB, HP_GRANULE_OK};

static const struct sample gigantic = {
	{.base = PAGE, .guest = HP_GIB, .coalesce = 1, .levels = 2,
	 .level = {{8, 0, false, false}, {1024, 8, false, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4096 * HP_GIB, HP_GIB, HP_GIB, HP_GRANULE_OK};

static const struct sample host_4k_under_2m = {
	{.base = PAGE, .guest = 2 * HP_MIB, .host = PAGE, .coalesce = 1,
	 .levels = 2,
	 .level = {{64, 4, false, false}, {1536, 12, true, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, 2 * HP_MIB, PAGE, HP_GRANULE_HOST_LIMIT};

static const struct sample host_4k_under_1g = {
	{.base = PAGE, .guest = HP_GIB, .host = PAGE, .coalesce = 1,
	 .levels = 2,
	 .level = {{96, 6, false, false}, {2048, 16, true, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, HP_GIB, PAGE, HP_GRANULE_HOST_LIMIT};

static const struct sample host_16k_under_2m = {
	{.base = PAGE, .guest = 2 * HP_MIB, .host = 4 * PAGE, .coalesce = 1,
	 .levels = 2,
	 .level = {{160, 5, false, false}, {3072, 12, false, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, 2 * HP_MIB, 4 * PAGE, HP_GRANULE_HOST_LIMIT};

static const struct sample host_16k_under_1g = {
	{.base = PAGE, .guest = HP_GIB, .host = 4 * PAGE, .coalesce = 1,
	 .levels = 2,
	 .level = {{160, 5, false, false}, {3072, 12, false, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, HP_GIB, 4 * PAGE, HP_GRANULE_HOST_LIMIT};

/* 64 KiB of 4 KiB leaves with a hint the processor pays no heed to */
static const struct sample hinted = {
	{.base = PAGE, .guest = PAGE, .coalesce = 1, .levels = 2,
	 .level = {{48, 0, false, false}, {2048, 8, false, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, PAGE, PAGE, HP_GRANULE_HINT_IGNORED};

/* base pages of 16 KiB, as on some arm64 kernels */
static const struct sample base_16k = {
	{.base = 4 * PAGE, .guest = 4 * PAGE, .coalesce = 1, .levels = 2,
	 .level = {{160, 5, false, false}, {3072, 12, false, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, 4 * PAGE, 4 * PAGE, HP_GRANULE_OK};

static const struct sample random_victim = {
	{.base = PAGE, .guest = PAGE, .coalesce = 1, .levels = 2,
	 .level = {{64, 4, false, true}, {1536, 12, true, true}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, PAGE, PAGE, HP_GRANULE_OK};

/* every other 2 MiB is in small host pages: there is no one granule */
static const struct sample two_sizes = {
	{.base = PAGE, .guest = 2 * HP_MIB, .host = PAGE, .mixed = 2 * HP_MIB,
	 .coalesce = 1, .levels = 2,
	 .level = {{64, 4, false, false}, {1536, 12, true, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, 2 * HP_MIB, 0, HP_GRANULE_INCONCLUSIVE};

/* four entries of a gigabyte hold the whole span: nothing ever misses */
static const struct sample all_covered = {
	{.base = PAGE, .guest = HP_GIB, .coalesce = 1, .levels = 2,
	 .level = {{8, 0, false, false}, {1024, 8, false, false}},
	 .l1_lines = 768, .l2_lines = LARGE_L2},
	4 * HP_GIB, HP_GIB, 0, HP_GRANULE_INCONCLUSIVE};

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

	return (struct hp_granule_claim){
		.base = s->machine.base,
		.leaf = s->leaf,
		.claimed = hint ? 16 * s->leaf : s->machine.guest,
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
	ck_assert_int_eq(hp_granule_infer(&first.sweep, &second.sweep, &claim,
					  &result),
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

static unsigned int conclusions(const struct sample *s, double noise,
				double wild)
{
	unsigned int n = 0;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
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
	ck_assert_uint_ge(conclusions(known[_i].sample, 0.05, 0),
			  MUST_CONCLUDE);
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

START_TEST(nothing_measured_is_inconclusive)
{
	struct hp_granule_claim claim = claim_of(&plain);
	struct hp_granule_sweep none = {0};
	struct hp_granule_result r;

	ck_assert_int_eq(hp_granule_infer(&none, &none, &claim, &r), 0);
	ck_assert_int_eq(r.diagnosis, HP_GRANULE_INCONCLUSIVE);
	ck_assert_uint_eq(r.len, 0);
}
END_TEST

START_TEST(refuses_what_it_cannot_hold)
{
	struct hp_granule_claim claim = claim_of(&plain);
	struct hp_granule_sweep none = {0};
	struct hp_granule_sweep many = {.len = HP_GRANULE_CURVES_MAX + 1};
	struct hp_granule_result r;

	ck_assert_int_eq(hp_granule_infer(&many, &none, &claim, &r), -EINVAL);
	ck_assert_int_eq(hp_granule_infer(&none, &many, &claim, &r), -EINVAL);
	claim.claimed = 3 * PAGE;
	ck_assert_int_eq(hp_granule_infer(&none, &none, &claim, &r), -EINVAL);
}
END_TEST

START_TEST(an_order_visits_every_block_once)
{
	uint32_t order[1000];
	bool seen[1000] = {false};

	hp_granule_plan_order(1000, 7, order);
	for (size_t i = 0; i < 1000; i++) {
		ck_assert_uint_lt(order[i], 1000);
		ck_assert(!seen[order[i]]);
		seen[order[i]] = true;
	}
}
END_TEST

START_TEST(neighbours_are_visited_far_apart)
{
	uint32_t order[1024];
	size_t at[1024];

	hp_granule_plan_order(1024, 7, order);
	for (size_t i = 0; i < 1024; i++)
		at[order[i]] = i;
	for (size_t i = 0; i < 1024; i += 4)
		for (size_t k = 1; k < 4; k++)
			ck_assert_uint_eq((at[i + k] - at[i] + 1024) % 256, 0);
}
END_TEST

START_TEST(seeds_give_different_orders)
{
	uint32_t a[64], b[64];
	size_t same = 0;

	hp_granule_plan_order(64, 1, a);
	hp_granule_plan_order(64, 2, b);
	for (size_t i = 0; i < 64; i++)
		same += a[i] == b[i];
	ck_assert_uint_lt(same, 32);
}
END_TEST

START_TEST(the_packed_order_visits_every_line_once)
{
	struct hp_granule_plan plan = plan_of(&plain);
	static uint32_t order[3000];
	static bool seen[3000];

	hp_granule_plan_packed(&plan, 3000, 7, order);
	for (size_t i = 0; i < 3000; i++) {
		ck_assert(order[i] < 3000 && !seen[order[i]]);
		seen[order[i]] = true;
	}
}
END_TEST

START_TEST(blocks_stay_in_the_span_and_off_each_other)
{
	struct hp_granule_plan plan = plan_of(&large);
	size_t spacings[HP_GRANULE_CURVES_MAX], counts[HP_GRANULE_POINTS_MAX];
	size_t n = hp_granule_plan_spacings(&plan, spacings);

	ck_assert_uint_gt(n, 10);
	for (size_t c = 0; c < n; c++) {
		size_t m = hp_granule_plan_counts(&plan, spacings[c], counts);
		size_t blocks = counts[m - 1];

		ck_assert(c == 0 || spacings[c] > spacings[c - 1]);
		for (size_t i = 0; i < blocks; i++) {
			size_t at = hp_granule_plan_offset(&plan, spacings[c],
							   i);

			ck_assert_uint_eq(at / spacings[c], i);
			ck_assert_uint_le(at + plan.line, plan.span);
		}
	}
}
END_TEST

static Suite *granule_suite(void)
{
	Suite *suite = suite_create("granule");
	TCase *truth = tcase_create("synthetic machines");
	TCase *tcase = tcase_create("refusals and plan");
	int n = (int)HP_ARRAY_SIZE(known);

	/* for valgrind's sake */
	tcase_set_timeout(truth, TIMEOUT_S);
	tcase_set_timeout(tcase, TIMEOUT_S);
	tcase_add_loop_test(truth, finds_the_truth_without_noise, 0, n);
	tcase_add_loop_test(truth,
			    five_per_cent_noise_neither_misleads_nor_silences,
			    0, n);
	tcase_add_loop_test(truth, heavy_noise_never_misleads, 0, n);
	tcase_add_test(tcase, pages_of_two_sizes_are_inconclusive);
	tcase_add_test(tcase, a_span_without_a_miss_is_inconclusive);
	tcase_add_test(tcase, a_data_cache_is_no_translation_level);
	tcase_add_test(tcase, sweeps_that_disagree_are_inconclusive);
	tcase_add_test(tcase,
		       smaller_than_claimed_is_split_unless_a_host_explains_it);
	tcase_add_test(tcase, nothing_measured_is_inconclusive);
	tcase_add_test(tcase, refuses_what_it_cannot_hold);
	tcase_add_test(tcase, an_order_visits_every_block_once);
	tcase_add_test(tcase, neighbours_are_visited_far_apart);
	tcase_add_test(tcase, seeds_give_different_orders);
	tcase_add_test(tcase, the_packed_order_visits_every_line_once);
	tcase_add_test(tcase, blocks_stay_in_the_span_and_off_each_other);
	suite_add_tcase(suite, truth);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	SRunner *runner = srunner_create(granule_suite());
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
