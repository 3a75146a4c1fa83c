/* SPDX-License-Identifier: MIT */
#include "tests/suite.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "libhp/linux.h"
#include "libhp/quiet.h"

static volatile sig_atomic_t arrived;
static int closed; /* the end of a pipe nobody reads from */

static void count(int sig)
{
	(void)sig;
	arrived++;
}

static void setup(void)
{
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	closed = ends[1];
	arrived = 0;
	signal(SIGPIPE, count);
}

static void teardown(void)
{
	close(closed);
	signal(SIGPIPE, SIG_DFL);
}

static int write_quietly(void)
{
	struct hp_quiet quiet;
	int ret;

	hp_quiet_begin(&quiet);
	ret = hp_linux_write(closed, "x", 1);
	hp_quiet_end(&quiet);
	return ret;
}

START_TEST(a_write_to_nobody_is_an_error_and_no_signal)
{
	ck_assert_int_eq(write_quietly(), -EPIPE);
	ck_assert_int_eq(arrived, 0);
}
END_TEST

START_TEST(the_program_gets_its_own_again)
{
	write_quietly();
	ck_assert_int_eq(hp_linux_write(closed, "x", 1), -EPIPE);
	ck_assert_int_eq(arrived, 1);
}
END_TEST

START_TEST(what_was_pending_stays_so)
{
	sigset_t pipes, pending;

	sigemptyset(&pipes);
	sigaddset(&pipes, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipes, NULL);
	raise(SIGPIPE);
	ck_assert_int_eq(write_quietly(), -EPIPE);
	ck_assert_int_eq(sigpending(&pending), 0);
	ck_assert_int_eq(sigismember(&pending, SIGPIPE), 1);
	ck_assert_int_eq(arrived, 0);
	sigprocmask(SIG_UNBLOCK, &pipes, NULL);
	ck_assert_int_eq(arrived, 1);
}
END_TEST

START_TEST(one_in_another_counts_for_the_outer)
{
	struct hp_quiet outer;

	hp_quiet_begin(&outer);
	write_quietly();
	ck_assert_int_eq(hp_linux_write(closed, "x", 1), -EPIPE);
	hp_quiet_end(&outer);
	ck_assert_int_eq(arrived, 0);
}
END_TEST

static Suite *quiet_suite(void)
{
	Suite *suite = suite_create("quiet");
	TCase *tcase = tcase_create("quiet");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, a_write_to_nobody_is_an_error_and_no_signal);
	tcase_add_test(tcase, the_program_gets_its_own_again);
	tcase_add_test(tcase, what_was_pending_stays_so);
	tcase_add_test(tcase, one_in_another_counts_for_the_outer);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(quiet_suite());
}
