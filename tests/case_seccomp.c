/* SPDX-License-Identifier: MIT */
/*
 * case_seccomp.c - a filter installed after start allows only the calls
 * glibc's malloc makes, and kills at any other
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/case.h"

#define ALLOW(nr)                                                              \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),                         \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static struct sock_filter rules[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(SYS_read),
	ALLOW(SYS_write),
	ALLOW(SYS_exit_group),
	ALLOW(SYS_brk),
	ALLOW(SYS_mmap),
	ALLOW(SYS_munmap),
	ALLOW(SYS_mremap),
	ALLOW(SYS_mprotect),
	ALLOW(SYS_futex),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

static void lock_down(void)
{
	struct sock_fprog prog = {
		.len = sizeof(rules) / sizeof(*rules),
		.filter = rules,
	};

	MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	MUST(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
}

static void large(void)
{
	char *p = case_keep(malloc(8 * MIB));

	MUST(p);
	memset(p, 3, 8 * MIB);
	p = realloc(p, 16 * MIB);
	MUST(p && case_all(p, 8 * MIB, 3));
	free(p);
}

int main(void)
{
	static void *small[2000];

	free(case_keep(malloc(1)));
	lock_down();
	for (int i = 0; i < 20; i++)
		large();
	for (int i = 0; i < 2000; i++)
		MUST((small[i] = case_keep(malloc(4000))));
	for (int i = 0; i < 2000; i++)
		free(small[i]);
	return write(1, "sandbox ok\n", 11) != 11;
}
