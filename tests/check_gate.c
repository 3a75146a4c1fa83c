/* SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libhp/gate.h"
#include "tests/suite.h"

START_TEST(changes_give_another_stamp)
{
	uint64_t before, same, after;

	ck_assert(hp_gate_shut(&before));
	hp_gate_open();
	ck_assert(hp_gate_shut(&same));
	hp_gate_open();
	ck_assert_uint_eq(before, same);
	hp_gate_enter();
	hp_gate_leave();
	ck_assert(hp_gate_shut(&after));
	hp_gate_open();
	ck_assert_uint_ne(before, after);
}
END_TEST

START_TEST(cannot_be_shut_while_somebody_is_inside)
{
	uint64_t stamp;

	hp_gate_enter();
	hp_gate_enter();
	ck_assert(!hp_gate_shut(&stamp));
	hp_gate_leave();
	ck_assert(!hp_gate_shut(&stamp));
	hp_gate_leave();
	ck_assert(hp_gate_shut(&stamp));
	hp_gate_open();
}
END_TEST

START_TEST(is_shut_by_one_only)
{
	uint64_t stamp;

	ck_assert(hp_gate_shut(&stamp));
	ck_assert(!hp_gate_shut(&stamp));
	hp_gate_open();
}
END_TEST

static int passed;

static void *pass(void *unused)
{
	hp_gate_enter();
	__atomic_fetch_add(&passed, 1, __ATOMIC_SEQ_CST);
	hp_gate_leave();
	return unused;
}

START_TEST(holds_threads_until_it_opens)
{
	pthread_t threads[8];
	uint64_t stamp;

	ck_assert(hp_gate_shut(&stamp));
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, pass, NULL);
	usleep(50000);
	ck_assert_int_eq(__atomic_load_n(&passed, __ATOMIC_SEQ_CST), 0);
	hp_gate_open();
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	ck_assert_int_eq(passed, 8);
}
END_TEST

/* Both sides check what the other must not do meanwhile. */
static int reading, broken, finished;

static void *change(void *unused)
{
	for (int i = 0; i < 20000; i++) {
		hp_gate_enter();
		if (__atomic_load_n(&reading, __ATOMIC_SEQ_CST))
			__atomic_store_n(&broken, 1, __ATOMIC_SEQ_CST);
		hp_gate_leave();
	}
	__atomic_fetch_add(&finished, 1, __ATOMIC_SEQ_CST);
	return unused;
}

START_TEST(nobody_is_inside_while_it_is_shut)
{
	pthread_t threads[4];
	uint64_t stamp;

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, change, NULL);
	while (__atomic_load_n(&finished, __ATOMIC_SEQ_CST) < 4) {
		if (!hp_gate_shut(&stamp))
			continue;
		__atomic_store_n(&reading, 1, __ATOMIC_SEQ_CST);
		usleep(10);
		__atomic_store_n(&reading, 0, __ATOMIC_SEQ_CST);
		hp_gate_open();
		usleep(100);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ck_assert(!broken);
}
END_TEST

START_TEST(a_child_finds_it_open)
{
	uint64_t stamp;
	int status;
	pid_t child;

	ck_assert(hp_gate_shut(&stamp));
	child = fork();
	if (!child) {
		hp_gate_forked();
		hp_gate_enter();
		hp_gate_leave();
		_exit(!hp_gate_shut(&stamp));
	}
	hp_gate_open();
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_eq(status, 0);
}
END_TEST

static Suite *gate_suite(void)
{
	Suite *suite = suite_create("gate");
	TCase *tcase = tcase_create("gate");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, changes_give_another_stamp);
	tcase_add_test(tcase, cannot_be_shut_while_somebody_is_inside);
	tcase_add_test(tcase, is_shut_by_one_only);
	tcase_add_test(tcase, holds_threads_until_it_opens);
	tcase_add_test(tcase, nobody_is_inside_while_it_is_shut);
	tcase_add_test(tcase, a_child_finds_it_open);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(gate_suite());
}
