/* SPDX-License-Identifier: MIT */
/*
 * case_fork_often.c - forks, for libraries with handlers; those it is given are
 * opened first, and closed before it forks more
 */
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

enum { FORKS = 20 };

static void fork_often(void)
{
	int status;

	for (int i = 0; i < FORKS; i++) {
		pid_t pid = fork();

		MUST(pid >= 0);
		if (pid == 0) {
			alarm(20);
			free(case_keep(malloc(5 * MIB)));
			_exit(0);
		}
		MUST(waitpid(pid, &status, 0) == pid && status == 0);
	}
}

int main(int argc, char **argv)
{
	void *plugin = NULL;

	if (argc > 1)
		MUST((plugin = dlopen(argv[1], RTLD_NOW)));
	fork_often();
	if (plugin)
		MUST(!dlclose(plugin));
	fork_often();
	return write(STDOUT_FILENO, "ok\n", 3) != 3;
}
