/* SPDX-License-Identifier: MIT */
/*
 * next.h - the functions behind those this library watches: libc's, or those
 * of a library that watches them too
 */
#ifndef HP_NEXT_H
#define HP_NEXT_H

#include <pthread.h>

#include "libhp/common.h"

typedef int hp_main_fn(int argc, char **argv, char **envp);

/* what pthread_atfork() calls, in whose object it is linked: @object */
typedef int hp_register_fn(void (*prepare)(void), void (*parent)(void),
			   void (*child)(void), void *object);

struct hp_next {
	int (*libc_start_main)(hp_main_fn *main, int argc, char **argv,
			       void (*init)(void), void (*fini)(void),
			       void (*rtld_fini)(void), void *stack);
	void (*exit)(int status);
	void (*exit_now)(int status); /* _exit */
	void (*quick_exit)(int status);
	pid_t (*fork_now)(void); /* _Fork; NULL before glibc 2.34 */
	pid_t (*vfork)(void);
	int (*daemon)(int stays, int keeps);
	int (*pthread_create)(pthread_t *thread, const pthread_attr_t *attr,
			      void *(*start)(void *), void *arg);
	hp_register_fn *register_atfork; /* __register_atfork */
	int (*prctl)(int option, ...);
	long (*syscall)(long nr, ...);
};

/* all NULL before hp_next_init(); then all found, in a process with glibc */
extern HP_HIDDEN struct hp_next hp_next;

/**
 * hp_next_init - look them all up
 *
 * At start, because the lookup takes the loader's lock: a constructor may hold
 * it for long, and an exit in a signal handler may come while it is held. Only
 * constructors before ours may need it earlier. More calls change nothing.
 */
void hp_next_init(void);

#endif
