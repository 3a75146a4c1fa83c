/* SPDX-License-Identifier: MIT */
/*
 * case_munmap_fails.c - munmap answers ENOMEM (no map left to split): free
 * neither aborts, nor touches errno, nor loses the block
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "tests/case.h"

#define SIZE (32 * MIB)

static void forbid_munmap(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_munmap, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {.len = 4, .filter = rules};

	MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	MUST(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
}

int main(void)
{
	free(case_keep(malloc(1)));
	forbid_munmap();
	for (int i = 0; i < 40; i++) {
		char *p = case_keep(malloc(SIZE));

		MUST(p);
		memset(p, i, SIZE);
		errno = 2;
		free(p);
		MUST(errno == 2);
	}
	case_figure("present_kb", case_present_kb());
	case_figure("size_kb", case_field("/proc/self/status", "VmSize"));
	puts("ok");
	return 0;
}
