/* SPDX-License-Identifier: MIT */
/*
 * check_filler_threads.c - many threads, and forks in the middle of it
 */
#include "tests/filler.h"

#include <sys/wait.h>

static void *churn(void *arg)
{
	struct rng rng = rng_seed((uintptr_t)arg);
	struct block mine[64] = {0};
	bool clean;

	for (int round = 0; round < 20000; round++) {
		struct block *b = &mine[rng_below(&rng, 64)];

		if (b->pages) {
			block_check(b);
			hp_filler_give(&filler, b->addr, b->pages);
			b->pages = 0;
			continue;
		}
		b->pages = rng_size(&rng, 256);
		b->addr = hp_filler_take(&filler, b->pages, 1, &clean);
		QUICK_ASSERT(b->addr);
		b->stamp = rng_next(&rng);
		if (clean)
			check_zero(b->addr, bytes_of(b->pages));
		block_stamp(b, 0);
	}
	for (int i = 0; i < 64; i++)
		if (mine[i].pages)
			hp_filler_give(&filler, mine[i].addr, mine[i].pages);
	return NULL;
}

START_TEST(holds_when_threads_churn)
{
	const struct setup tight = {.bloat = 10, .start = 4 * HP_MIB};
	pthread_t threads[4];

	filler_open(&tight);
	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(filler.used, 0);
	settle_down();
	check_bound();
}
END_TEST

static bool stop_churning;

static void *churn_on(void *arg)
{
	while (!__atomic_load_n(&stop_churning, __ATOMIC_RELAXED))
		churn(arg);
	return NULL;
}

/* a release another thread was in the middle of must not go on for ever */
START_TEST(child_of_a_fork_can_release)
{
	const struct setup tight = {.bloat = 0};
	pthread_t threads[2];
	int status;

	filler_open(&tight);
	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, churn_on, (void *)(i + 1));
	for (int i = 0; i < 100; i++) {
		pid_t child;

		hp_filler_fork_prepare(&filler);
		child = fork();
		if (child == 0) {
			bool claimed = filler.releasing;

			hp_filler_fork_child(&filler);
			_exit(claimed);
		}
		hp_filler_fork_parent(&filler);
		waitpid(child, &status, 0);
		ck_assert_int_eq(status, 0);
	}
	__atomic_store_n(&stop_churning, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check_filler();
}
END_TEST

/* both slots of a run that was changed are mapped anew, one after the other */
static void *change_and_free(void *unused)
{
	size_t pages = 2 * (size_t)filler.slots.pages;
	bool clean;

	while (!__atomic_load_n(&stop_churning, __ATOMIC_RELAXED)) {
		void *addr = hp_filler_take(&filler, pages, filler.slots.pages,
					    &clean);
		uintptr_t start = (uintptr_t)addr;

		QUICK_ASSERT(addr);
		hp_mark(&filler, start, start + bytes_of(pages), false,
			HP_REASON_NONE);
		hp_filler_give(&filler, addr, pages);
	}
	return unused;
}

START_TEST(child_of_a_fork_misses_no_slot_that_is_mapped_anew)
{
	const struct setup loose = {.bloat = 1000};
	pthread_t threads[2];

	filler_open(&loose);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, change_and_free, NULL);
	for (int i = 0; i < 500; i++) {
		hp_filler_fork_prepare(&filler);
		/* what a child would find in use */
		QUICK_ASSERT(filler.used % (2 * filler.slots.pages) == 0);
		hp_filler_fork_parent(&filler);
	}
	__atomic_store_n(&stop_churning, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	check_filler();
}
END_TEST

static Suite *threads_suite(void)
{
	Suite *suite = suite_create("filler threads");
	TCase *tcase = tcase_create("threads");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, holds_when_threads_churn);
	tcase_add_test(tcase, child_of_a_fork_can_release);
	tcase_add_test(tcase,
		       child_of_a_fork_misses_no_slot_that_is_mapped_anew);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(threads_suite());
}
