/* SPDX-License-Identifier: MIT */
/*
 * case_fork_threads.c - the child of a fork makes threads past pthread_create:
 * C11's, and those of timers; all of them allocate
 */
#include <signal.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include "tests/case.h"

#define THREADS 4
#define BLOCKS 256

static int ended;

static void churn(unsigned char tag, int turns)
{
	unsigned char *blocks[BLOCKS] = {0};
	unsigned int x = tag;

	for (int i = 0; i < turns; i++) {
		unsigned char **b = &blocks[(x = x * 1103515245 + 12345) >> 24];

		MUST(!*b || **b == tag);
		free(*b);
		*b = malloc(1 + (x >> 8) % 16384 * (i % 8));
		MUST(*b);
		**b = tag;
	}
	for (int i = 0; i < BLOCKS; i++)
		free(blocks[i]);
}

static int run(void *tag)
{
	churn((unsigned char)(uintptr_t)tag, 60000);
	return 0;
}

static void on_timer(union sigval tag)
{
	churn((unsigned char)tag.sival_int, 30000);
	__atomic_fetch_add(&ended, 1, __ATOMIC_RELEASE);
}

static void start_timer(int tag)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD,
				 .sigev_notify_function = on_timer,
				 .sigev_value.sival_int = tag};
	struct itimerspec once = {.it_value.tv_nsec = 1000};
	timer_t timer;

	MUST(!timer_create(CLOCK_MONOTONIC, &event, &timer));
	MUST(!timer_settime(timer, 0, &once, NULL));
}

static void child(void)
{
	thrd_t threads[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++) {
		MUST(thrd_create(&threads[i], run, (void *)(i + 1)) ==
		     thrd_success);
		start_timer((int)(THREADS + i + 1));
	}
	for (int i = 0; i < THREADS; i++)
		MUST(thrd_join(threads[i], NULL) == thrd_success);
	while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) < THREADS)
		churn(2 * THREADS + 1, 1000);
	_exit(0);
}

int main(void)
{
	int status = 0;
	pid_t pid = fork();

	MUST(pid >= 0);
	if (!pid)
		child();
	MUST(waitpid(pid, &status, 0) == pid);
	MUST(!status);
	puts("ok");
	return 0;
}
