/* SPDX-License-Identifier: MIT */
#include <linux/aio_abi.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libhp/alone.h"
#include "tests/fixture.h"
#include "tests/suite.h"

static void *waits(void *arg)
{
	pthread_barrier_wait(arg);
	pthread_barrier_wait(arg);
	return NULL;
}

START_TEST(process_without_threads_is)
{
	ck_assert(hp_alone());
}
END_TEST

START_TEST(another_thread_ends_it)
{
	pthread_barrier_t both;
	pthread_t thread;

	pthread_barrier_init(&both, NULL, 2);
	ck_assert_int_eq(pthread_create(&thread, NULL, waits, &both), 0);
	pthread_barrier_wait(&both);
	ck_assert(!hp_alone());
	pthread_barrier_wait(&both);
	pthread_join(thread, NULL);
}
END_TEST

START_TEST(ring_for_asynchronous_reads_ends_it)
{
	aio_context_t ring = 0;

	if (syscall(SYS_io_setup, 8, &ring) < 0)
		return; /* not in this kernel, or used up */
	ck_assert(!hp_alone());
	syscall(SYS_io_destroy, ring);
	ck_assert(hp_alone());
}
END_TEST

static bool alone_by(const char *status, const char *maps)
{
	fixture_write("/proc/self/status", status);
	fixture_write("/proc/self/maps", maps);
	return hp_alone();
}

START_TEST(proc_is_believed_and_silence_is_no_yes)
{
	static const char good[] = "VmPin:\t       0 kB\nThreads:\t1\n";

	fixture_open();
	ck_assert(alone_by(good, "7f00-7f01 rw-p 0 00:00 0 \n"));
	ck_assert(
		!alone_by(good, "7f00-7f01 rw-s 0 00:0e 9 /[aio] (deleted)\n"));
	ck_assert(!alone_by(good, "7f00-7f01 rw-s 0 00:0d 9 "
				  "anon_inode:[io_uring]\n"));
	ck_assert(!alone_by("VmPin:\t       0 kB\nThreads:\t2\n", ""));
	ck_assert(!alone_by("VmPin:\t       4 kB\nThreads:\t1\n", ""));
	ck_assert(!alone_by("Threads:\t1\n", ""));
	ck_assert(!alone_by("", ""));
	fixture_close();
	fixture_open();
	ck_assert(!hp_alone());
	fixture_close();
}
END_TEST

static Suite *alone_suite(void)
{
	Suite *suite = suite_create("alone");
	TCase *tcase = tcase_create("core");

	tcase_add_test(tcase, process_without_threads_is);
	tcase_add_test(tcase, another_thread_ends_it);
	tcase_add_test(tcase, ring_for_asynchronous_reads_ends_it);
	tcase_add_test(tcase, proc_is_believed_and_silence_is_no_yes);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(alone_suite());
}
