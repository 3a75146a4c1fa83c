/* SPDX-License-Identifier: MIT */
/*
 * case_fork_streams.c - fork while one thread reads lines, which allocates with
 * a stream locked, and one flushes all streams, which waits for that with the
 * list of them locked; each child opens one, flushes all and makes a thread
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define FORKS 100
#define LINE 300000

static volatile int done;

static FILE *long_line(void)
{
	FILE *f = fdopen(memfd_create("line", 0), "w+");

	MUST(f);
	for (int i = 0; i < LINE; i++)
		putc('a', f);
	putc('\n', f);
	return f;
}

static void *read_lines(void *unused)
{
	FILE *f = long_line();

	while (!done) {
		char *line = NULL;
		size_t n = 0;

		rewind(f);
		MUST(getline(&line, &n, f) == LINE + 1);
		free(line);
	}
	fclose(f);
	return unused;
}

static void *flush_all(void *unused)
{
	while (!done)
		fflush(NULL);
	return unused;
}

static void *use_streams(void *unused)
{
	FILE *f = fopen("/dev/null", "w");

	MUST(f);
	fputs("text", f);
	MUST(!fclose(f));
	return unused;
}

static void child(int with_thread)
{
	pthread_t thread;

	alarm(20);
	use_streams(NULL);
	if (with_thread) {
		MUST(!pthread_create(&thread, NULL, use_streams, NULL));
		MUST(!pthread_join(thread, NULL));
	}
	_exit(0);
}

static void fork_often(int n)
{
	int status;

	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		MUST(pid >= 0);
		if (!pid)
			child(i % 16 == 0);
		MUST(waitpid(pid, &status, 0) == pid);
		MUST(!status);
	}
}

int main(void)
{
	pthread_t reader, flusher;

	fork_often(1);
	MUST(!pthread_create(&reader, NULL, read_lines, NULL));
	MUST(!pthread_create(&flusher, NULL, flush_all, NULL));
	fork_often(FORKS);
	done = 1;
	MUST(!pthread_join(reader, NULL));
	MUST(!pthread_join(flusher, NULL));
	fork_often(1);
	use_streams(NULL);
	puts("ok");
	return 0;
}
