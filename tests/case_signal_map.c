/* SPDX-License-Identifier: MIT */
/*
 * case_signal_map.c - mmap and munmap from a signal handler that interrupts
 * the allocator and the mapping calls every millisecond, for three seconds
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "tests/case.h"

static volatile sig_atomic_t seen, wrong;

static void *map(size_t len)
{
	return mmap(NULL, len, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void on_alarm(int sig)
{
	int saved = errno;
	char *q = map(2 * MIB);

	(void)sig;
	if (q == MAP_FAILED || q[0]) {
		wrong = 1;
	} else {
		q[0] = 1;
		wrong |= munmap(q, 2 * MIB) != 0;
	}
	seen++;
	errno = saved;
}

static void work(void)
{
	char *p = case_keep(malloc(4 * MIB)), *q = map(2 * MIB),
	     *s = map(128 * 1024);

	MUST(p && q != MAP_FAILED && s != MAP_FAILED);
	p[MIB] = q[MIB] = s[4096] = 1;
	MUST(!munmap(q, 2 * MIB) && !munmap(s, 128 * 1024));
	free(p);
}

int main(void)
{
	struct sigaction act = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	struct itimerval every = {{0, 1000}, {0, 1000}}, off = {{0, 0}, {0, 0}};
	time_t end = time(NULL) + 3;

	MUST(!sigaction(SIGALRM, &act, NULL));
	MUST(!setitimer(ITIMER_REAL, &every, NULL));
	while (time(NULL) <= end)
		work();
	MUST(!setitimer(ITIMER_REAL, &off, NULL));
	MUST(seen > 100 && !wrong);
	puts("ok");
	return 0;
}
