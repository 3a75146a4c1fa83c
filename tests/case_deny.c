/* SPDX-License-Identifier: MIT */
/*
 * case_deny.c - run a program in a world where one system call fails:
 * case_deny CALL ERRNO PROGRAM [ARG...]
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/case.h"

static const struct {
	const char *name;
	unsigned int nr;
} calls[] = {
	{"getrandom", SYS_getrandom},
	{"ioctl", SYS_ioctl},
	{"madvise", SYS_madvise},
	{"mbind", SYS_mbind},
	{"mincore", SYS_mincore},
	{"mremap", SYS_mremap},
	{"munmap", SYS_munmap},
	{"perf_event_open", SYS_perf_event_open},
	{"prctl", SYS_prctl},
	{"sched_getaffinity", SYS_sched_getaffinity},
	{"sched_setaffinity", SYS_sched_setaffinity},
};

static unsigned int number(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!strcmp(calls[i].name, name))
			return calls[i].nr;
	fprintf(stderr, "case_deny: %s is not in the table\n", name);
	exit(2);
}

static void deny(unsigned int nr, unsigned int err)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = 4, .filter = rules};

	MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	MUST(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
}

int main(int argc, char **argv)
{
	MUST(argc > 3);
	deny(number(argv[1]), (unsigned int)atoi(argv[2]));
	execvp(argv[3], argv + 3);
	perror(argv[3]);
	return 127;
}
