/* SPDX-License-Identifier: MIT */
/*
 * wrap.c - calls that are watched, not changed: exits, threads
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "libhp/arena.h"
#include "libhp/common.h"
#include "libhp/syscall.h"
#include "preload/outcome.h"

/*
 * The report comes before the program's own exit handlers: many close stderr
 * there, and destructors free what the figures are about.
 */

static int (*program_main)(int, char **, char **);

static int reporting_main(int argc, char **argv, char **envp)
{
	int status = program_main(argc, argv, envp);

	hp_outcome_exit();
	return status;
}

typedef int main_fn(int argc, char **argv, char **envp);
typedef int start_fn(main_fn *main, int argc, char **argv, void (*init)(void),
		     void (*fini)(void), void (*rtld_fini)(void), void *stack);
start_fn __libc_start_main;

HP_EXPORT int __libc_start_main(main_fn *main, int argc, char **argv,
				void (*init)(void), void (*fini)(void),
				void (*rtld_fini)(void), void *stack)
{
	start_fn *real = (start_fn *)dlsym(RTLD_NEXT, "__libc_start_main");

	program_main = main;
	return real(hp_outcome_wanted() ? reporting_main : main, argc, argv,
		    init, fini, rtld_fini, stack);
}

HP_EXPORT __attribute__((noreturn)) void exit(int status)
{
	void (*real)(int) = (void (*)(int))dlsym(RTLD_NEXT, "exit");

	hp_outcome_exit();
	real(status);
	__builtin_unreachable();
}

HP_EXPORT __attribute__((noreturn)) void _exit(int status)
{
	hp_outcome_report();
	for (;;)
		hp_syscall(SYS_exit_group, status);
}

HP_EXPORT __attribute__((noreturn)) void _Exit(int status)
{
	_exit(status);
}

/* an arena for the thread that is about to start; see hp_arena_for_thread() */
HP_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			     void *(*start)(void *), void *arg)
{
	static int (*real)(pthread_t *, const pthread_attr_t *,
			   void *(*)(void *), void *);

	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_create");
	if (!real)
		return EAGAIN;
	hp_arena_for_thread();
	return real(thread, attr, start, arg);
}
