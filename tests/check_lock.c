/* SPDX-License-Identifier: MIT */
#include "tests/memory.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "libhp/lock.h"

#define THREADS 4
#define TURNS 20000

static struct hp_lock lock;
static unsigned long turns; /* guarded by lock */

static void *count_up(void *arg)
{
	for (int i = 0; i < TURNS; i++) {
		if (!hp_lock_take(&lock))
			return arg;
		turns++;
		hp_lock_drop(&lock);
	}
	return NULL;
}

START_TEST(only_one_thread_at_a_time_holds_it)
{
	pthread_t threads[THREADS];
	void *stuck;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count_up, &lock);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &stuck);
		ck_assert_ptr_null(stuck);
	}
	ck_assert_uint_eq(turns, THREADS * TURNS);
}
END_TEST

START_TEST(the_holder_itself_is_told_and_keeps_it)
{
	ck_assert(hp_lock_take(&lock));
	ck_assert(!hp_lock_take(&lock));
	ck_assert(!hp_lock_take(&lock));
	hp_lock_drop(&lock);
	ck_assert(hp_lock_take(&lock));
	hp_lock_drop(&lock);
}
END_TEST

static volatile sig_atomic_t taken_in_handler;

static void handler(int sig)
{
	(void)sig;
	taken_in_handler = hp_lock_take(&lock);
}

START_TEST(a_handler_that_interrupted_the_holder_is_told)
{
	taken_in_handler = -1;
	signal(SIGUSR1, handler);
	ck_assert(hp_lock_take(&lock));
	raise(SIGUSR1);
	ck_assert_int_eq(taken_in_handler, 0);
	hp_lock_drop(&lock);
}
END_TEST

static volatile sig_atomic_t late, ticks;

/* told at once, or given the lock: never left waiting */
static void tick(int sig)
{
	uint64_t before = hp_linux_now_ms();

	(void)sig;
	if (hp_lock_take(&lock))
		hp_lock_drop(&lock);
	late += hp_linux_now_ms() - before >= 500;
	ticks++;
}

START_TEST(a_handler_never_waits_for_whom_it_interrupted)
{
	const struct itimerval often = {{0, 50}, {0, 50}};
	const struct itimerval never = {0};

	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &often, NULL);
	while (ticks < 8000)
		if (hp_lock_take(&lock))
			hp_lock_drop(&lock);
	setitimer(ITIMER_REAL, &never, NULL);
	ck_assert_int_eq(late, 0);
}
END_TEST

static void *take(void *arg)
{
	*(bool *)arg = hp_lock_take(&lock);
	return NULL;
}

/* it jumped out of a handler, say: others get by without, after a while */
START_TEST(a_holder_that_never_drops_it_stops_nobody)
{
	pthread_t thread;
	bool got = true;

	ck_assert(hp_lock_take(&lock));
	pthread_create(&thread, NULL, take, &got);
	pthread_join(thread, NULL);
	ck_assert(!got);
	hp_lock_drop(&lock);
	pthread_create(&thread, NULL, take, &got);
	pthread_join(thread, NULL);
	ck_assert(got);
}
END_TEST

static void *take_often(void *arg)
{
	for (int i = 0; i < 1000; i++)
		if (hp_lock_take(&lock))
			return NULL;
	return arg;
}

/* a wait of the first length each time would be one of minutes */
START_TEST(a_stuck_holder_is_waited_for_once)
{
	pthread_t thread;
	void *never;

	ck_assert(hp_lock_take(&lock));
	pthread_create(&thread, NULL, take_often, &lock);
	pthread_join(thread, &never);
	ck_assert_ptr_eq(never, &lock);
	hp_lock_drop(&lock);
}
END_TEST

static void *fork_without(void *arg)
{
	bool *got = arg;
	int status = -1;
	pid_t child;

	*got = hp_lock_take_to_fork(&lock) || hp_lock_is_mine(&lock);
	child = fork();
	if (child == 0)
		_exit(hp_lock_take(&lock));
	waitpid(child, &status, 0);
	*got |= status != 0;
	return NULL;
}

START_TEST(a_fork_goes_without_a_stuck_lock_and_so_does_the_child)
{
	pthread_t thread;
	bool got = true;

	ck_assert(hp_lock_take(&lock));
	pthread_create(&thread, NULL, fork_without, &got);
	pthread_join(thread, NULL);
	ck_assert(!got);
	hp_lock_drop(&lock);
}
END_TEST

static void *wait_for_it(void *unused)
{
	hp_lock_wait(&lock);
	turns++;
	hp_lock_drop(&lock);
	return unused;
}

START_TEST(who_cannot_do_without_gets_it_from_a_holder_thought_stuck)
{
	pthread_t thread;
	bool got = true;

	turns = 0;
	ck_assert(hp_lock_take(&lock));
	pthread_create(&thread, NULL, take, &got);
	pthread_join(thread, NULL);
	ck_assert(!got);
	pthread_create(&thread, NULL, wait_for_it, NULL);
	hp_lock_drop(&lock);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(turns, 1);
}
END_TEST

START_TEST(reset_frees_what_no_thread_of_the_child_holds)
{
	pthread_t thread;
	bool got;
	int status;
	pid_t child;

	pthread_create(&thread, NULL, take, &got);
	pthread_join(thread, NULL);
	ck_assert(got);
	child = fork();
	if (child == 0) {
		hp_lock_reset(&lock);
		_exit(hp_lock_take(&lock) ? 0 : 1);
	}
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
}
END_TEST

static void *fork_and_wait_for_it(void *arg)
{
	int *status = arg;
	pid_t child = fork();

	if (child == 0) {
		alarm(10);
		hp_lock_forked();
		hp_lock_wait(&lock);
		hp_lock_drop(&lock);
		_exit(0);
	}
	waitpid(child, status, 0);
	return NULL;
}

START_TEST(a_child_takes_it_from_a_holder_that_stayed_in_the_parent)
{
	pthread_t thread;
	int status = -1;

	ck_assert(hp_lock_take(&lock));
	pthread_create(&thread, NULL, fork_and_wait_for_it, &status);
	pthread_join(thread, NULL);
	ck_assert_int_eq(status, 0);
	hp_lock_drop(&lock);
}
END_TEST

static void *count_up_waiting(void *unused)
{
	for (int i = 0; i < TURNS; i++) {
		hp_lock_wait(&lock);
		turns++;
		hp_lock_drop(&lock);
	}
	return unused;
}

/* its last holder was one of the parent, or the thread that forked */
static void count_up_in_child(void)
{
	pthread_t threads[THREADS];

	alarm(10);
	turns = 0;
	hp_lock_forked();
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, count_up_waiting, NULL);
	hp_lock_drop(&lock);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	_exit(turns != THREADS * TURNS);
}

START_TEST(threads_of_a_child_do_not_take_it_from_each_other)
{
	int status;
	pid_t child;

	ck_assert(hp_lock_take(&lock));
	child = fork();
	if (child == 0)
		count_up_in_child();
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
	hp_lock_drop(&lock);
}
END_TEST

START_TEST(taking_and_dropping_leave_errno_alone)
{
	errno = 42;
	ck_assert(hp_lock_take(&lock));
	ck_assert(!hp_lock_take(&lock));
	hp_lock_drop(&lock);
	ck_assert_int_eq(errno, 42);
}
END_TEST

static Suite *lock_suite(void)
{
	Suite *suite = suite_create("lock");
	TCase *tcase = tcase_create("lock");

	tcase_add_test(tcase, only_one_thread_at_a_time_holds_it);
	tcase_add_test(tcase, the_holder_itself_is_told_and_keeps_it);
	tcase_add_test(tcase, a_handler_that_interrupted_the_holder_is_told);
	tcase_add_test(tcase, a_handler_never_waits_for_whom_it_interrupted);
	tcase_add_test(tcase, a_holder_that_never_drops_it_stops_nobody);
	tcase_add_test(tcase, a_stuck_holder_is_waited_for_once);
	tcase_add_test(tcase,
		       a_fork_goes_without_a_stuck_lock_and_so_does_the_child);
	tcase_add_test(
		tcase,
		who_cannot_do_without_gets_it_from_a_holder_thought_stuck);
	tcase_add_test(tcase, reset_frees_what_no_thread_of_the_child_holds);
	tcase_add_test(
		tcase,
		a_child_takes_it_from_a_holder_that_stayed_in_the_parent);
	tcase_add_test(tcase,
		       threads_of_a_child_do_not_take_it_from_each_other);
	tcase_add_test(tcase, taking_and_dropping_leave_errno_alone);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(lock_suite());
}
