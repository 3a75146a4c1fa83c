/* SPDX-License-Identifier: MIT */
/*
 * case_siblings.c - N processes, each with MIB of memory of which it touches
 * every 16th page; all live until the last has
 *
 *	case_siblings N MIB malloc|map
 *
 * Prints how many of them were killed.
 */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

static char *take(const char *how, size_t len)
{
	void *p;

	if (!strcmp(how, "malloc"))
		return case_keep(malloc(len));
	p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		 -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

/* says that it is full, and waits for the end of @all */
static _Noreturn void sibling(const char *how, size_t len, int full, int all)
{
	char *p = take(how, len), byte = 0;

	for (size_t i = 0; p && i < len; i += 16 * 4096)
		p[i] = 1;
	MUST(p && write(full, &byte, 1) == 1);
	close(full);
	_exit(read(all, &byte, 1) != 0);
}

int main(int argc, char **argv)
{
	int full[2], all[2], status, killed = 0, n;
	char byte;

	MUST(argc == 4 && pipe(full) == 0 && pipe(all) == 0);
	n = atoi(argv[1]);
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		MUST(pid >= 0);
		if (pid == 0) {
			close(all[1]);
			sibling(argv[3], (size_t)atoi(argv[2]) * MIB, full[1],
				all[0]);
		}
	}
	close(full[1]);
	while (read(full[0], &byte, 1) == 1)
		continue; /* those killed close it, too */
	close(all[1]);
	while (wait(&status) > 0)
		killed += status != 0;
	printf("%d killed\n", killed);
	return 0;
}
