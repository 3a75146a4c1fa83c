/* SPDX-License-Identifier: MIT */
/*
 * check_runs.c - runs of bits against a model with one bool per page
 */
#include "tests/memory.h"

#include "libhp/runs.h"
#include "tests/random.h"

#define PAGES_MAX 1024
#define ROUNDS 2000

/* slots of 2 MiB, of 32 MiB in 16K pages, and odd ones */
static const unsigned int sizes[] = {1, 63, 64, 65, 130, 512, 1024};

struct model {
	unsigned int pages;
	bool taken[PAGES_MAX];
	uint64_t map[PAGES_MAX / 64 + 1];
	struct rng rng;
};

static void model_set(struct model *m, unsigned int first, unsigned int len,
		      bool taken)
{
	for (unsigned int i = first; i < first + len; i++)
		m->taken[i] = taken;
}

static unsigned int model_next(const struct model *m, unsigned int from,
			       bool taken)
{
	while (from < m->pages && m->taken[from] != taken)
		from++;
	return from;
}

static void expect_same(struct model *m)
{
	for (unsigned int i = 0; i < m->pages; i++)
		QUICK_ASSERT((m->map[i / 64] >> (i % 64) & 1) == m->taken[i]);
	for (unsigned int i = m->pages; i < (m->pages + 63) / 64 * 64; i++)
		QUICK_ASSERT(!(m->map[i / 64] >> (i % 64) & 1));
}

static void random_range(struct model *m, unsigned int *first,
			 unsigned int *len)
{
	*first = rng_below(&m->rng, m->pages);
	*len = 1 + rng_below(&m->rng, m->pages - *first);
	if (rng_below(&m->rng, 2))
		*len = 1 + rng_below(&m->rng, (unsigned int)hp_min(*len, 9));
}

static void change(struct model *m)
{
	unsigned int first, len;
	bool taken = rng_below(&m->rng, 2);

	random_range(m, &first, &len);
	if (taken)
		hp_runs_set(m->map, first, len);
	else
		hp_runs_clear(m->map, first, len);
	model_set(m, first, len, taken);
}

static void start(struct model *m, unsigned int pages)
{
	memset(m, 0, sizeof(*m));
	m->pages = pages;
	m->rng = rng_seed(pages);
}

static void churn(int i, void (*check)(struct model *m))
{
	struct model m;

	start(&m, sizes[i]);
	check(&m);
	for (int round = 0; round < ROUNDS; round++) {
		change(&m);
		check(&m);
	}
}

START_TEST(sets_and_clears_exactly_the_range)
{
	churn(_i, expect_same);
}
END_TEST

static void counts(struct model *m)
{
	unsigned int first, len, n = 0;

	random_range(m, &first, &len);
	for (unsigned int i = first; i < first + len; i++)
		n += m->taken[i];
	QUICK_ASSERT(hp_runs_count(m->map, first, len) == n);
}

START_TEST(counts_the_set_bits_of_a_range)
{
	churn(_i, counts);
}
END_TEST

static void next(struct model *m)
{
	unsigned int from = rng_below(&m->rng, m->pages + 1);

	QUICK_ASSERT(hp_runs_next_set(m->map, m->pages, from) ==
		     model_next(m, from, true));
	QUICK_ASSERT(hp_runs_next_clear(m->map, m->pages, from) ==
		     model_next(m, from, false));
}

START_TEST(finds_the_next_bit_or_the_end)
{
	churn(_i, next);
}
END_TEST

static bool all_clear(const struct model *m, unsigned int first,
		      unsigned int len)
{
	return first + len <= m->pages &&
	       model_next(m, first, true) >= first + len;
}

/* the first place; @pages when there is none */
static unsigned int model_find(const struct model *m, unsigned int len,
			       unsigned int align)
{
	unsigned int first = 0;

	while (first < m->pages && !all_clear(m, first, len))
		first += align;
	return first < m->pages ? first : m->pages;
}

static void finds(struct model *m)
{
	unsigned int len = rng_size(&m->rng, m->pages);
	unsigned int align = 1u << rng_below(&m->rng, 5);
	unsigned int want = model_find(m, len, align);
	struct hp_run run;

	if (!hp_runs_find(m->map, m->pages, len, align, &run)) {
		QUICK_ASSERT(want == m->pages);
		return;
	}
	QUICK_ASSERT(run.first == want);
	QUICK_ASSERT(run.first + run.len == model_next(m, want, true));
}

START_TEST(finds_the_first_aligned_fit)
{
	churn(_i, finds);
}
END_TEST

static void around(struct model *m)
{
	unsigned int at = model_next(m, rng_below(&m->rng, m->pages), false);
	unsigned int first = at;
	struct hp_run run;

	if (at == m->pages)
		return;
	while (first > 0 && !m->taken[first - 1])
		first--;
	run = hp_runs_around(m->map, m->pages, at);
	QUICK_ASSERT(run.first == first);
	QUICK_ASSERT(run.first + run.len == model_next(m, at, true));
}

START_TEST(sees_the_whole_run_around_a_page)
{
	churn(_i, around);
}
END_TEST

static void longest(struct model *m)
{
	unsigned int best = 0, run = 0;
	unsigned int enough = rng_size(&m->rng, m->pages);

	for (unsigned int i = 0; i < m->pages; i++) {
		run = m->taken[i] ? 0 : run + 1;
		best = (unsigned int)hp_max(best, run);
	}
	QUICK_ASSERT(hp_runs_longest(m->map, m->pages, m->pages) == best);
	QUICK_ASSERT(hp_runs_longest(m->map, m->pages, enough) >=
		     hp_min(best, enough));
}

START_TEST(knows_the_longest_run)
{
	churn(_i, longest);
}
END_TEST

static Suite *runs_suite(void)
{
	Suite *suite = suite_create("runs");
	TCase *tcase = tcase_create("model");
	const int n = HP_ARRAY_SIZE(sizes);

	tcase_add_loop_test(tcase, sets_and_clears_exactly_the_range, 0, n);
	tcase_add_loop_test(tcase, counts_the_set_bits_of_a_range, 0, n);
	tcase_add_loop_test(tcase, finds_the_next_bit_or_the_end, 0, n);
	tcase_add_loop_test(tcase, finds_the_first_aligned_fit, 0, n);
	tcase_add_loop_test(tcase, sees_the_whole_run_around_a_page, 0, n);
	tcase_add_loop_test(tcase, knows_the_longest_run, 0, n);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(runs_suite());
}
