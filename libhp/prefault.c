/* SPDX-License-Identifier: MIT */
#include "libhp/prefault.h"

#include <pthread.h>
#include <signal.h>

#include "libhp/linux.h"

#define CHUNK (16 * HP_MIB) /* a few milliseconds, between two reports */
#define THREADS_MAX 256

/* what the threads of one run share */
struct run {
	const struct hp_prefault *job;
	size_t chunk; /* bytes; chunks begin at multiples of it */
	size_t nchunks;
	size_t next; /* chunk not yet taken: atomic */
	size_t done; /* bytes: atomic */
	int err;     /* the first -errno, or 0: atomic */
};

/* before Linux 5.14; writes what is there, so content stays */
static void touch(char *addr, size_t len)
{
	size_t page = hp_linux_page_size();

	for (size_t i = 0; i < len; i += page)
		__atomic_fetch_or(addr + i, 0, __ATOMIC_RELAXED);
}

static int populate(const struct hp_prefault *job, char *addr, size_t len)
{
	int ret = hp_linux_populate(addr, len);

	if (ret != -EINVAL || job->pool)
		return ret;
	touch(addr, len);
	return 0;
}

static size_t chunk_start(const struct run *run, size_t i)
{
	uintptr_t addr = (uintptr_t)run->job->addr;
	uintptr_t start = hp_align_down(addr, run->chunk) + i * run->chunk;

	return start > addr ? start - addr : 0;
}

/* takes the next chunk; false: there is none, or something failed */
static bool step(struct run *run)
{
	size_t i = __atomic_fetch_add(&run->next, 1, __ATOMIC_RELAXED);
	size_t start, end;
	int ret, none = 0;

	if (i >= run->nchunks || __atomic_load_n(&run->err, __ATOMIC_RELAXED))
		return false;
	start = chunk_start(run, i);
	end = hp_min(chunk_start(run, i + 1), run->job->len);
	ret = populate(run->job, run->job->addr + start, end - start);
	if (ret) {
		__atomic_compare_exchange_n(&run->err, &none, ret, false,
					    __ATOMIC_RELAXED, __ATOMIC_RELAXED);
		return false;
	}
	__atomic_fetch_add(&run->done, end - start, __ATOMIC_RELAXED);
	return true;
}

static void *work(void *arg)
{
	while (step(arg))
		;
	return NULL;
}

static void report(const struct run *run)
{
	const struct hp_prefault *job = run->job;

	if (job->progress)
		job->progress(__atomic_load_n(&run->done, __ATOMIC_RELAXED),
			      job->len, job->arg);
}

/* returns how many there are; signals are the program's own threads' */
static unsigned int start_threads(struct run *run, pthread_t *threads,
				  unsigned int n)
{
	sigset_t all, old;
	unsigned int i;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	for (i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, run))
			break;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return i;
}

static unsigned int helpers_wanted(const struct run *run)
{
	size_t n = run->job->threads ? run->job->threads : hp_linux_ncpus();

	n = hp_min(n, THREADS_MAX);
	return (unsigned int)hp_min(n, run->nchunks) - 1;
}

static void run_chunks(struct run *run)
{
	pthread_t threads[THREADS_MAX];
	unsigned int n = start_threads(run, threads, helpers_wanted(run));

	while (step(run))
		if (__atomic_load_n(&run->done, __ATOMIC_RELAXED) <
		    run->job->len)
			report(run);
	while (n > 0)
		pthread_join(threads[--n], NULL);
}

int hp_prefault(const struct hp_prefault *job)
{
	struct run run = {.job = job, .chunk = hp_max(CHUNK, job->page)};
	uintptr_t addr = (uintptr_t)job->addr;

	if (job->len == 0)
		return 0;
	run.nchunks = (hp_align_up(addr + job->len, run.chunk) -
		       hp_align_down(addr, run.chunk)) /
		      run.chunk;
	run_chunks(&run);
	if (run.err == 0)
		report(&run);
	return run.err;
}
