/* SPDX-License-Identifier: MIT */
/*
 * case_sealed_children.c - children of a process behind a filter of system
 * calls, made in each way and ended in each; it says when they are gone
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

/* since glibc 2.34 */
extern pid_t _Fork(void) __attribute__((weak));

static void seal(void)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog prog = {.len = 1, .filter = &all};

	MUST(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	MUST(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog));
}

static void has_ended(pid_t pid)
{
	int status;

	MUST(pid > 0 && waitpid(pid, &status, 0) == pid);
	MUST(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

static void with_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(3);
	has_ended(pid);
	pid = vfork();
	if (pid == 0) {
		execl("/nonexistent", "nonexistent", NULL);
		_exit(3);
	}
	has_ended(pid);
}

static pid_t raw_fork(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void with(pid_t (*make)(void), void (*end)(int status))
{
	pid_t pid = make();

	if (pid == 0) {
		memset(case_keep(malloc(3 * MIB)), 1, 3 * MIB);
		end(3);
	}
	has_ended(pid);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc == 1)
		seal();
	with_vfork();
	with(fork, _exit);
	with(fork, exit);
	with(raw_fork, _exit);
	with(raw_fork, exit);
	if (_Fork) {
		with(_Fork, _exit);
		with(_Fork, exit);
	}
	MUST(write(STDERR_FILENO, "gone\n", 5) == 5);
	return 7;
}
