/* SPDX-License-Identifier: MIT */
/*
 * case_seccomp.c - a filter installed after start allows only the calls
 * glibc's malloc makes, and kills at any other
 */
#include <pthread.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "tests/case.h"

#define THREADS 8

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

/* what it takes to say something and end */
static struct sock_filter least[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	ALLOW(SYS_write),
	ALLOW(SYS_exit_group),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
};

static void say_and_exit(void)
{
	struct sock_fprog prog = {sizeof(least) / sizeof(*least), least};

	MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	MUST(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
	MUST(write(1, "sealed\n", 7) == 7);
	exit(7);
}

static void lock_down(int by_syscall)
{
	struct sock_fprog prog = {
		.len = sizeof(rules) / sizeof(*rules),
		.filter = rules,
	};

	MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	if (by_syscall)
		MUST(!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			      SECCOMP_FILTER_FLAG_TSYNC, &prog));
	else
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

/* all at once, so that they wait for each other's locks; none ends: that
 * would take more calls than the filter knows */
static void *busy(void *arg)
{
	free(case_keep(malloc(1)));
	pthread_barrier_wait(arg);
	pthread_barrier_wait(arg);
	for (int i = 0; i < 3000; i++) {
		char *p = case_keep(malloc(40000 + (size_t)i * 16));

		MUST(p);
		*p = 1;
		free(p);
	}
	pthread_barrier_wait(arg);
	pthread_barrier_wait(arg);
	return NULL;
}

int main(int argc, char **argv)
{
	static pthread_barrier_t together;
	static void *small[2000];
	pthread_t thread;

	free(case_keep(malloc(1)));
	if (argc > 1 && !strcmp(argv[1], "least"))
		say_and_exit();
	MUST(!pthread_barrier_init(&together, NULL, THREADS + 1));
	for (int i = 0; i < THREADS; i++)
		MUST(!pthread_create(&thread, NULL, busy, &together));
	pthread_barrier_wait(&together);
	lock_down(argc > 1 && !strcmp(argv[1], "syscall"));
	pthread_barrier_wait(&together);
	for (int i = 0; i < 20; i++)
		large();
	for (int i = 0; i < 2000; i++)
		MUST((small[i] = case_keep(malloc(4000))));
	for (int i = 0; i < 2000; i++)
		free(small[i]);
	pthread_barrier_wait(&together);
	return write(1, "sandbox ok\n", 11) != 11;
}
