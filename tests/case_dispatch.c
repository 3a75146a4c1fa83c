/* SPDX-License-Identifier: MIT */
/*
 * case_dispatch.c - system calls are allowed from libc's own code only (Syscall
 * User Dispatch, Linux 5.11): what a program calls in libc still works
 */
#define _GNU_SOURCE
#include <link.h>
#include <gnu/libc-version.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/case.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_ON 1
#endif

/* the first executable segment of the object that @arg points into */
static struct {
	unsigned long start, len;
} code;

static int find_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
	unsigned long at = (unsigned long)gnu_get_libc_version;

	(void)size;
	(void)arg;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];

		code.start = info->dlpi_addr + h->p_vaddr;
		code.len = h->p_memsz;
		if (h->p_type == PT_LOAD && h->p_flags & PF_X &&
		    at - code.start < code.len)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static char all = 1; /* SYSCALL_DISPATCH_FILTER_BLOCK */
	char name[16];
	long pid = getpid();

	MUST(dl_iterate_phdr(find_libc, NULL));
	puts("ok");
	fflush(stdout);
	if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, code.start,
		  code.len, &all))
		return 77;
	MUST(syscall(SYS_getpid) == pid);
	MUST(!prctl(PR_GET_NAME, name));
	errno = 0;
	MUST(syscall(SYS_close, -1) == -1 && errno == EBADF);
	if (argc > 1 && !strcmp(argv[1], "_exit"))
		_exit(3);
	return 3;
}
