/* SPDX-License-Identifier: MIT */
/* case_no_thp.c - run a program with THP switched off by an ancestor */
#include <sys/prctl.h>
#include <unistd.h>
#include "tests/case.h"

int main(int argc, char **argv)
{
	MUST(argc > 1 && !prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0));
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
