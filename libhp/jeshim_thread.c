/* SPDX-License-Identifier: MIT */
/*
 * jeshim_thread.c - the pthread library that jemalloc sees: locks that nobody
 * interposes, forks in our order, no threads
 */
#include <errno.h>
#include <pthread.h>

#include "libhp/arena.h"

int hp_je_pthread_atfork(void (*prepare)(void), void (*parent)(void),
			 void (*child)(void));
int hp_je_pthread_mutex_init(pthread_mutex_t *mutex,
			     const pthread_mutexattr_t *attr);
int hp_je_pthread_mutex_lock(pthread_mutex_t *mutex);
int hp_je_pthread_mutex_trylock(pthread_mutex_t *mutex);
int hp_je_pthread_mutex_unlock(pthread_mutex_t *mutex);
void *hp_je_dlsym(void *handle, const char *symbol);
int hp_je_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			 void *(*start)(void *), void *arg);
int hp_je_pthread_cond_init(pthread_cond_t *cond,
			    const pthread_condattr_t *attr);
int hp_je_pthread_cond_signal(pthread_cond_t *cond);
int hp_je_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex);
int hp_je_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				 const struct timespec *until);

static void (*prepare_jemalloc)(void);
static void *forker; /* the thread that takes all locks, maybe twice */

static void prepare_fork(void)
{
	forker = __builtin_thread_pointer();
	prepare_jemalloc();
	forker = NULL;
}

/* fork.c runs these in its own order: jemalloc's locks before the filler's */
int hp_je_pthread_atfork(void (*prepare)(void), void (*parent)(void),
			 void (*child)(void))
{
	prepare_jemalloc = prepare;
	hp_arena_fork = (struct hp_arena_fork){prepare_fork, parent, child};
	return 0;
}

/*
 * Sanitizers interpose pthread_mutex_lock and cannot serve it yet when malloc
 * is first called, from their own start. Nobody else sees these mutexes.
 */
static struct hp_lock *lock_of(pthread_mutex_t *mutex)
{
	_Static_assert(sizeof(struct hp_lock) <= 16, "fits before its kind");
	return (struct hp_lock *)mutex;
}

int hp_je_pthread_mutex_init(pthread_mutex_t *mutex,
			     const pthread_mutexattr_t *attr)
{
	(void)attr;
	hp_lock_reset(lock_of(mutex));
	return 0;
}

/*
 * jemalloc 5.3 leaves one mutex out of its fork handlers, that of a new leaf of
 * its extent map. A thread that stayed in the parent may hold it.
 */
int hp_je_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	struct hp_lock *lock = lock_of(mutex);

	if (HP_UNLIKELY(HP_READ_ONCE(forker) == __builtin_thread_pointer()))
		hp_lock_wait_to_fork(lock);
	else
		hp_lock_wait(lock);
	return 0;
}

int hp_je_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
	return hp_lock_try(lock_of(mutex)) ? 0 : EBUSY;
}

int hp_je_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	hp_lock_drop(lock_of(mutex));
	return 0;
}

/* its background threads: libhp has no thread that was not asked for */

void *hp_je_dlsym(void *handle, const char *symbol)
{
	(void)handle;
	(void)symbol;
	return NULL;
}

int hp_je_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
			 void *(*start)(void *), void *arg)
{
	(void)thread;
	(void)attr;
	(void)start;
	(void)arg;
	return EAGAIN;
}

/*
 * What those threads would wait on. jemalloc prepares it under its init lock
 * all the same, and libfaketime's pthread_cond_init allocates.
 */

int hp_je_pthread_cond_init(pthread_cond_t *cond,
			    const pthread_condattr_t *attr)
{
	(void)cond;
	(void)attr;
	return 0;
}

int hp_je_pthread_cond_signal(pthread_cond_t *cond)
{
	(void)cond;
	return 0;
}

int hp_je_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
	(void)cond;
	(void)mutex;
	return EINVAL;
}

int hp_je_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				 const struct timespec *until)
{
	(void)cond;
	(void)mutex;
	(void)until;
	return ETIMEDOUT;
}
