/* SPDX-License-Identifier: MIT */
/*
 * case_exit_handler.c - a signal handler ends the process, with status 7
 *
 *	case_exit_handler exit|_exit TICKS	that many milliseconds after the
 *			start, whatever it interrupts of malloc and mmap
 *	case_exit_handler exit|_exit TICKS busy	while main() is in exit(), and
 *			another thread looks at the clock for ever
 */
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "tests/case.h"

static void (*end)(int status);
static volatile int ticks, last;
static volatile int is_asking;
static __thread int asks_for_ever;

/* also that of whoever measures in this thread */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	while (asks_for_ever) {
		is_asking = 1;
		usleep(1000);
	}
	*now = (struct timespec){time(NULL), 0};
	return 0;
}

static void on_alarm(int sig)
{
	(void)sig;
	if (++ticks == last)
		end(7);
}

static void start_ticking(void)
{
	struct itimerval every = {{0, 1000}, {0, 1000}};

	signal(SIGALRM, on_alarm);
	MUST(!setitimer(ITIMER_REAL, &every, NULL));
}

static void churn(void)
{
	static char *blocks[256];

	for (unsigned int x = 1;;) {
		char **b = &blocks[(x = x * 1103515245 + 12345) >> 24];
		size_t size = x % 100 ? (x >> 8) % 50000 : 3 * MIB;
		char *map = mmap(NULL, MIB, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		MUST(map != MAP_FAILED);
		memset(map, 1, MIB);
		munmap(map, MIB);
		free(*b);
		MUST((*b = malloc(size + 1)));
		memset(*b, 1, size);
	}
}

static void *fill_and_free(void *unused)
{
	char *block = case_keep(malloc(64 * MIB));

	MUST(block);
	memset(block, 1, 64 * MIB);
	asks_for_ever = 1;
	free(block);
	is_asking = 1; /* nobody measures */
	pause();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	MUST(argc > 2);
	end = strcmp(argv[1], "exit") ? _exit : exit;
	last = atoi(argv[2]);
	if (argc == 3) {
		start_ticking();
		churn();
	}
	MUST(!pthread_create(&thread, NULL, fill_and_free, NULL));
	while (!is_asking)
		usleep(1000);
	start_ticking();
	_exit(7);
}
