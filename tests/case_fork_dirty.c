/* SPDX-License-Identifier: MIT */
/*
 * case_fork_dirty.c - what one written byte in each of 64 places of a 512 MiB
 * heap costs a child (a server that snapshots by fork)
 */
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define SIZE (512 * MIB)

int main(void)
{
	char *p = malloc(SIZE);
	int status;
	pid_t pid;

	MUST(p);
	memset(p, 1, SIZE);
	case_figure("huge_kb", case_huge_kb());
	pid = fork();
	MUST(pid >= 0);
	if (!pid) {
		for (size_t i = 0; i < 64; i++)
			p[i * 4 * MIB] = 2;
		case_figure("dirty_kb", case_field("/proc/self/smaps_rollup",
						   "Private_Dirty"));
		_exit(0);
	}
	MUST(waitpid(pid, &status, 0) == pid && !status);
	free(p);
	puts("ok");
	return 0;
}
