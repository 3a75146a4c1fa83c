/* SPDX-License-Identifier: MIT */
/*
 * case_ends.c - ends as it is told: case_ends HOW [PROGRAM]; with status 7
 * where it has a choice
 */
#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/case.h"

static const char *program;

static void by_number(int status)
{
	syscall(SYS_exit_group, status);
}

static void thread_by_number(int status)
{
	syscall(SYS_exit, status);
}

static void past_libc(int status)
{
#if defined(__x86_64__)
	__asm__ volatile("syscall" : : "a"(SYS_exit_group), "D"(status));
#else
	register long nr __asm__("x8") = SYS_exit_group;
	register long arg __asm__("x0") = status;

	__asm__ volatile("svc 0" : : "r"(nr), "r"(arg));
#endif
}

static void by_errx(int status)
{
	errx(status, "the end");
}

static void by_daemon(int status)
{
	MUST(!daemon(1, 1));
	_exit(status);
}

static void *wait_and_exit(void *main_thread)
{
	pthread_join(*(pthread_t *)main_thread, NULL);
	exit(7);
}

static void by_last_thread(int status)
{
	static pthread_t self;
	pthread_t thread;

	(void)status;
	self = pthread_self();
	MUST(!pthread_create(&thread, NULL, wait_and_exit, &self));
	pthread_exit(NULL);
}

static void *only_itself(void *unused)
{
	syscall(SYS_exit, 3);
	return unused;
}

static void after_thread_by_number(int status)
{
	pthread_t thread;

	MUST(!pthread_create(&thread, NULL, only_itself, NULL));
	pthread_join(thread, NULL);
	exit(status);
}

static void by_pthread_exit(int status)
{
	(void)status;
	pthread_exit(NULL);
}

static void by_exec(int status)
{
	(void)status;
	execl(program, program, "exit", NULL);
	exit(1);
}

static void by_abort(int status)
{
	(void)status;
	abort();
}

static void by_signal(int status)
{
	(void)status;
	raise(SIGTERM);
}

/* as a shell and Python start what is not there */
static void after_vfork(int status)
{
	int ended;
	pid_t pid = vfork();

	if (pid == 0) {
		execl("/nonexistent", "nonexistent", NULL);
		_exit(127);
	}
	MUST(waitpid(pid, &ended, 0) == pid && WEXITSTATUS(ended) == 127);
	_exit(status);
}

static void after_children(int status)
{
	void (*const ends[])(int) = {exit, _exit, quick_exit, by_number,
				     thread_by_number};

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		pid_t pid = fork();

		if (pid == 0)
			ends[i](3);
		MUST(waitpid(pid, NULL, 0) == pid);
	}
	exit(status);
}

static const struct {
	const char *name;
	void (*end)(int status);
} ways[] = {
	{"exit", exit},
	{"_exit", _exit},
	{"_Exit", _Exit},
	{"quick_exit", quick_exit},
	{"errx", by_errx},
	{"exit_group", by_number},
	{"thread_by_number", thread_by_number},
	{"after_thread_by_number", after_thread_by_number},
	{"past_libc", past_libc},
	{"daemon", by_daemon},
	{"last_thread", by_last_thread},
	{"pthread_exit", by_pthread_exit},
	{"exec", by_exec},
	{"abort", by_abort},
	{"signal", by_signal},
	{"after_vfork", after_vfork},
	{"after_children", after_children},
};

static void (*end)(int status);

static void on_signal(int sig)
{
	(void)sig;
	end(7);
}

static void *in_thread(void *unused)
{
	end(7);
	return unused;
}

int main(int argc, char **argv)
{
	const char *where = argc > 2 ? argv[2] : "";
	pthread_t thread;

	MUST(argc > 1);
	program = argc > 3 ? argv[3] : argv[0];
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(ways[i].name, argv[1]))
			end = ways[i].end;
	MUST(end);
	memset(case_keep(malloc(MIB)), 1, MIB);
	signal(SIGUSR1, on_signal);
	if (!strcmp(where, "handler"))
		raise(SIGUSR1);
	if (!strcmp(where, "thread") &&
	    !pthread_create(&thread, NULL, in_thread, NULL))
		pause();
	end(7);
	return 1;
}
