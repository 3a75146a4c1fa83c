/* SPDX-License-Identifier: MIT */
/*
 * case_fork_handler.c - a signal handler forks whatever it interrupted, malloc
 * too; children exec, exit, or go back to what the handler interrupted
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define FORKS 80

static volatile int forks;

static void start_timer(long us)
{
	struct itimerval every = {{0, us}, {0, us}};

	MUST(!setitimer(ITIMER_REAL, &every, NULL));
}

static void churn(int rounds)
{
	static char *blocks[256];
	unsigned int x = 1;

	for (int i = 0; i < rounds; i++) {
		char **b = &blocks[(x = x * 1103515245 + 12345) >> 24];
		size_t size = i % 100 ? (x >> 8) % 50000 : 3 * MIB;
		char *map;

		free(*b);
		MUST((*b = malloc(size + 1)));
		**b = 1;
		if (i % 16)
			continue;
		map = mmap(NULL, 256 << 10, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		MUST(map != MAP_FAILED);
		*map = 1;
		munmap(map, 256 << 10);
	}
}

/* a child that returns does so into malloc, as it was interrupted there */
static void on_alarm(int sig)
{
	int status;
	pid_t pid = fork();

	(void)sig;
	if (pid == 0) {
		signal(SIGALRM, SIG_IGN);
		if (forks % 4 == 0)
			execl("/bin/true", "true", NULL);
		if (forks % 4 == 1)
			_exit(0);
		forks = FORKS;
		alarm(20);
		signal(SIGALRM, SIG_DFL);
		return;
	}
	if (waitpid(pid, &status, 0) != pid || status)
		_exit(9);
	forks++;
}

int main(void)
{
	pid_t parent = getpid();

	signal(SIGALRM, on_alarm);
	start_timer(2000);
	while (forks < FORKS)
		churn(100);
	if (getpid() == parent) {
		start_timer(0);
		puts("ok");
	}
	churn(5000);
	fflush(stdout);
	_exit(0);
}
