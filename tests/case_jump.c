/* SPDX-License-Identifier: MIT */
/*
 * case_jump.c - a timer's handler leaves calls of the mmap family, which are
 * system calls elsewhere, by siglongjmp; afterwards all threads go on mapping,
 * allocating and forking
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define JUMPS 400
#define LARGE (4 * MIB)
#define SMALL (128 << 10)

static sigjmp_buf back;
static volatile int jumps;
static char *block;

static void on_alarm(int sig)
{
	(void)sig;
	jumps++;
	siglongjmp(back, 1);
}

static void start_timer(void)
{
	struct itimerval once = {.it_value.tv_usec = 50 + jumps * 37 % 300};

	MUST(!setitimer(ITIMER_REAL, &once, NULL));
}

static void map(size_t len)
{
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(p != MAP_FAILED);
	MUST(!munmap(p, len));
}

/* what is mapped when the jump comes is lost, as it is without libhp */
static void jump_around(void)
{
	if (sigsetjmp(back, 1) && jumps == JUMPS)
		return;
	start_timer();
	for (;;) {
		map(jumps % 8 ? SMALL : LARGE);
		if (jumps % 4 == 0)
			madvise(block, LARGE / 2, MADV_DONTNEED);
	}
}

static void go_on(void)
{
	for (int i = 0; i < 100; i++) {
		char *p = mmap(NULL, SMALL, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		MUST(p != MAP_FAILED && case_all(p, SMALL, 0));
		memset(p, 1, SMALL);
		MUST(!munmap(p, SMALL));
		free(case_keep(malloc(MIB)));
		map(LARGE);
	}
}

static void *fork_and_go_on(void *unused)
{
	int status;
	pid_t child = fork();

	MUST(child >= 0);
	go_on();
	if (child == 0)
		_exit(0);
	MUST(waitpid(child, &status, 0) == child && status == 0);
	return unused;
}

int main(void)
{
	pthread_t thread;

	MUST((block = aligned_alloc(2 * MIB, LARGE)));
	MUST(signal(SIGALRM, on_alarm) != SIG_ERR);
	jump_around();
	go_on();
	for (int i = 0; i < 3; i++) {
		MUST(!pthread_create(&thread, NULL, fork_and_go_on, NULL));
		MUST(!pthread_join(thread, NULL));
	}
	fork_and_go_on(NULL);
	free(block);
	puts("ok");
	return 0;
}
