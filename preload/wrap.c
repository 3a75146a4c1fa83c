/* SPDX-License-Identifier: MIT */
/*
 * wrap.c - calls that are watched, not changed: exits, forks, threads
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "libhp/arena.h"
#include "libhp/common.h"
#include "libhp/syscall.h"
#include "preload/next.h"
#include "preload/outcome.h"

/*
 * The report comes before the program's own exit handlers: many close stderr
 * there, and destructors free what the figures are about.
 */

static hp_main_fn *program_main;

static int reporting_main(int argc, char **argv, char **envp)
{
	int status = program_main(argc, argv, envp);

	hp_outcome_exit();
	return status;
}

int __libc_start_main(hp_main_fn *main, int argc, char **argv,
		      void (*init)(void), void (*fini)(void),
		      void (*rtld_fini)(void), void *stack);

HP_EXPORT int __libc_start_main(hp_main_fn *main, int argc, char **argv,
				void (*init)(void), void (*fini)(void),
				void (*rtld_fini)(void), void *stack)
{
	hp_next_init();
	program_main = main;
	return hp_next.libc_start_main(
		hp_outcome_wanted() ? reporting_main : main, argc, argv, init,
		fini, rtld_fini, stack);
}

HP_EXPORT __attribute__((noreturn)) void exit(int status)
{
	hp_next_init();
	hp_outcome_exit();
	hp_next.exit(status);
	__builtin_unreachable();
}

HP_EXPORT __attribute__((noreturn)) void quick_exit(int status)
{
	hp_next_init();
	hp_outcome_exit();
	hp_next.quick_exit(status);
	__builtin_unreachable();
}

HP_EXPORT __attribute__((noreturn)) void _exit(int status)
{
	hp_outcome_report();
	if (hp_next.exit_now)
		hp_next.exit_now(status);
	for (;;)
		hp_syscall(SYS_exit_group, status);
}

HP_EXPORT __attribute__((noreturn)) void _Exit(int status)
{
	_exit(status);
}

/* the parent ends in libc, by an _exit of libc's own */
HP_EXPORT int daemon(int stays, int keeps)
{
	hp_next_init();
	hp_outcome_report();
	return hp_next.daemon(stays, keeps);
}

hp_register_fn __register_atfork;

/*
 * The heap's own handlers must be registered before all others: their prepare
 * functions run in the opposite order, and may need the heap. A constructor may
 * come here before the first malloc of the process.
 */
HP_EXPORT int __register_atfork(void (*prepare)(void), void (*parent)(void),
				void (*child)(void), void *object)
{
	hp_arena_boot();
	hp_next_init();
	return hp_next.register_atfork(prepare, parent, child, object);
}

/* an arena for the thread that is about to start; see hp_arena_for_thread() */
HP_EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			     void *(*start)(void *), void *arg)
{
	hp_next_init();
	if (!hp_heap_closed)
		hp_arena_for_thread();
	return hp_next.pthread_create(thread, attr, start, arg);
}
