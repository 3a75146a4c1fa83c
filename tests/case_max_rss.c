/* SPDX-License-Identifier: MIT */
/*
 * case_max_rss.c - run a program under the preload in CASE_PRELOAD, or none,
 * and print its peak resident size; this program itself has no preload
 */
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t pid;

	MUST(argc > 1);
	pid = fork();
	MUST(pid >= 0);
	if (!pid) {
		if (getenv("CASE_PRELOAD"))
			setenv("LD_PRELOAD", getenv("CASE_PRELOAD"), 1);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	MUST(wait4(pid, &status, 0, &usage) == pid && !status);
	printf("%ld\n", usage.ru_maxrss);
	return 0;
}
