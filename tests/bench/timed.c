/* SPDX-License-Identifier: MIT */
/*
 * timed FILE [NAME=VALUE]... -- PROGRAM [ARGUMENT]... - what a run costs
 *
 * Writes "pid N" to FILE when the program starts and the figures of wait4(2)
 * when it ends. A process of its own, because a program's peak RSS starts at
 * that of the process it was forked from, and this one is small. The settings
 * are made for PROGRAM alone, so timed itself is never preloaded.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void become(char **settings, char **program)
{
	for (; settings < program && strcmp(*settings, "--"); settings++)
		putenv(*settings);
	execvp(program[0], program);
	perror(program[0]);
	_exit(127);
}

static char **find_program(char **argv)
{
	while (*argv && strcmp(*argv, "--"))
		argv++;
	return *argv ? argv + 1 : argv;
}

int main(int argc, char **argv)
{
	char **program = argc > 3 ? find_program(argv + 2) : NULL;
	struct rusage usage;
	double start;
	int fd, status;
	pid_t pid;

	if (!program || !*program) {
		fputs("usage: timed FILE [NAME=VALUE]... -- PROGRAM...\n",
		      stderr);
		return 125;
	}
	fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0) {
		perror(argv[1]);
		return 125;
	}
	start = now();
	pid = fork();
	if (pid == 0)
		become(argv + 2, program);
	dprintf(fd, "pid %d\n", (int)pid);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 125;
	dprintf(fd,
		"wall %.6f\nuser %.6f\nsys %.6f\nrss_kib %ld\nminor %ld\n"
		"major %ld\n",
		now() - start, seconds(usage.ru_utime), seconds(usage.ru_stime),
		usage.ru_maxrss, usage.ru_minflt, usage.ru_majflt);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}
