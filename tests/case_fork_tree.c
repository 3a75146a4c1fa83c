/* SPDX-License-Identifier: MIT */
/*
 * case_fork_tree.c - a pre-forking server: eight children at once and a
 * grandchild each, all writing the heap they inherited
 */
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

#define SIZE (8 * MIB)

static unsigned char *heap;

static void wait_for(pid_t pid)
{
	int status;

	MUST(waitpid(pid, &status, 0) == pid);
	MUST(!status);
}

/* rewrites and checks the whole heap, and allocates beside it */
static void work(unsigned char inherited, unsigned char mine)
{
	unsigned char *more = malloc(3 * MIB);

	MUST(more && case_all(heap, SIZE, inherited));
	memset(heap, mine, SIZE);
	memset(more, mine, 3 * MIB);
	MUST(case_all(heap, SIZE, mine) && case_all(more, 3 * MIB, mine));
	free(more);
}

static void server(unsigned char id)
{
	pid_t pid;

	work(1, id);
	pid = fork();
	MUST(pid >= 0);
	if (pid) {
		wait_for(pid);
		MUST(case_all(heap, SIZE, id));
	} else {
		work(id, (unsigned char)(id + 100));
	}
	free(heap);
	_exit(0);
}

int main(void)
{
	pid_t pids[8];

	heap = malloc(SIZE);
	MUST(heap);
	memset(heap, 1, SIZE);
	for (int i = 0; i < 8; i++) {
		pids[i] = fork();
		MUST(pids[i] >= 0);
		if (!pids[i])
			server((unsigned char)(i + 2));
	}
	work(1, 50);
	for (int i = 0; i < 8; i++)
		wait_for(pids[i]);
	MUST(case_all(heap, SIZE, 50));
	puts("ok");
	return 0;
}
