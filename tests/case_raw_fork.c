/* SPDX-License-Identifier: MIT */
/*
 * case_raw_fork.c - children that run no fork handlers, of a process whose other
 * threads are in malloc and mmap; how often one had to wait is a figure
 */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

enum { THREADS = 4, CHILDREN = 60, WAITS_MAX = 100 };

/* since glibc 2.34 */
extern pid_t _Fork(void) __attribute__((weak));

static pid_t by_number(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void map_and_unmap(void)
{
	char *map = mmap(NULL, 256 << 10, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	MUST(map != MAP_FAILED);
	*map = 1;
	MUST(!munmap(map, 256 << 10));
}

static void *churn(void *seed)
{
	char *blocks[64] = {NULL};

	for (unsigned int x = (unsigned int)(uintptr_t)seed;;) {
		char **b = &blocks[(x = x * 1103515245 + 12345) >> 26];

		free(*b);
		MUST((*b = malloc(x % 50 ? (x >> 8) % 50000 + 1 : 3 * MIB)));
		**b = 1;
		map_and_unmap();
	}
	return NULL;
}

/* the status is how often it waited */
static void live(int takes_memory)
{
	struct rusage before, after;

	alarm(20);
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < 5; i++) {
		map_and_unmap();
		for (size_t n = 1; takes_memory && n < 3 * MIB; n += n / 8 + 1)
			free(case_keep(malloc(n)));
	}
	getrusage(RUSAGE_SELF, &after);
	after.ru_nvcsw -= before.ru_nvcsw;
	_exit((int)(after.ru_nvcsw < WAITS_MAX ? after.ru_nvcsw : WAITS_MAX));
}

static int most_waits(pid_t (*make)(void), int takes_memory)
{
	int status, most = 0;

	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = make();

		if (pid == 0)
			live(takes_memory);
		MUST(pid > 0 && waitpid(pid, &status, 0) == pid);
		MUST(WIFEXITED(status));
		if (WEXITSTATUS(status) > most)
			most = WEXITSTATUS(status);
	}
	return most;
}

int main(int argc, char **argv)
{
	pid_t (*make)(void) = argc > 1 ? by_number : _Fork;
	pthread_t thread;

	(void)argv;
	MUST(make);
	for (uintptr_t i = 1; i <= THREADS; i++)
		MUST(!pthread_create(&thread, NULL, churn, (void *)i));
	case_figure("maps", most_waits(make, 0));
	case_figure("malloc", most_waits(make, 1));
	puts("ok");
	fflush(stdout);
	_exit(0);
}
