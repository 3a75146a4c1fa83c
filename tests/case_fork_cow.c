/* SPDX-License-Identifier: MIT */
/*
 * case_fork_cow.c - after fork each side sees its own bytes and dies of
 * nothing, whoever writes first: "parent" or "child"
 */
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define SIZE (6 * MIB)

static void child(unsigned char *p, int first, int go)
{
	char c;

	if (!first)
		MUST(read(go, &c, 1) == 1);
	MUST(case_all(p, SIZE, 'P'));
	memset(p, 'C', SIZE);
	MUST(case_all(p, SIZE, 'C'));
	_exit(0);
}

static void parent(unsigned char *p, pid_t pid, int first, int go)
{
	int status;

	if (!first)
		MUST(waitpid(pid, &status, 0) == pid);
	else
		MUST(case_all(p, SIZE, 'P'));
	memset(p, 'Q', SIZE);
	if (first) {
		MUST(write(go, "g", 1) == 1);
		MUST(waitpid(pid, &status, 0) == pid);
	}
	MUST(case_all(p, SIZE, 'Q'));
	printf("child status %d\n", status);
	MUST(!status);
}

int main(int argc, char **argv)
{
	int parent_first = argc < 2 || strcmp(argv[1], "child");
	unsigned char *p = malloc(SIZE);
	int go[2];
	pid_t pid;

	MUST(p && !pipe(go));
	memset(p, 'P', SIZE);
	case_figure("hugetlb_kb",
		    case_field("/proc/self/smaps_rollup", "Private_Hugetlb"));
	fflush(stdout);
	pid = fork();
	MUST(pid >= 0);
	if (!pid)
		child(p, !parent_first, go[0]);
	parent(p, pid, parent_first, go[1]);
	free(p);
	return 0;
}
