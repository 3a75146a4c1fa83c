/* SPDX-License-Identifier: MIT */
/*
 * fuzz_maps.c - random sequences of the mmap family, the same for a seed
 *
 *	fuzz_maps [-v] [-s] [-t THREADS] [-k LIST] SEED [COUNT]
 *
 * Prints one line a sequence, its seed and a hash of all it saw: results,
 * errno, contents, faults, final maps. Run it with and without libhp and
 * compare (tests/fuzz_maps.sh). -v prints what goes into the hash; -s maps and
 * unmaps in a timer's handler meanwhile; -k leaves out the steps listed
 * ("3,7,12"), to make a sequence smaller.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/time.h>

#include "tests/fuzz_move.h"

#define STEPS 40

static const struct {
	void (*run)(void);
	unsigned int weight;
} ops[] = {
	{op_map, 24},	     {op_map_badly, 1}, {op_unmap, 12},
	{op_protect, 12},    {op_advise, 12},	{op_access, 20},
	{op_write_from, 2},  {op_lock, 3},	{op_sync, 3},
	{op_map_fixed, 8},   {op_resize, 6},	{op_move_fixed, 4},
	{op_remap_badly, 1}, {op_fork, 1},
};

static bool skipped[STEPS];
static bool forks = true;

/* each step draws from a source of its own: leaving one out moves no other */
static void step(uint64_t seed, unsigned int i)
{
	unsigned int dice, op = 0;

	rng = rng_seed(seed * STEPS + i);
	dice = below(109);
	while (dice >= ops[op].weight)
		dice -= ops[op++].weight;
	if (verbose)
		note("%u: ", i);
	if (ops[op].run != op_fork || forks)
		ops[op].run();
	if (verbose)
		note("\n");
}

static void sequence(uint64_t seed)
{
	trace_hash = 0;
	locks = false;
	if (ftruncate(file, 0) < 0 ||
	    ftruncate(file, (off_t)(FILE_PAGES * page_size)) < 0)
		_exit(3);
	for (unsigned int i = 0; i < STEPS; i++)
		if (!skipped[i])
			step(seed, i);
	note_contents();
	if (alone)
		note_vmas(seed % 8 == 0);
	drop_all();
}

static uint64_t first_seed, count = 1;
static unsigned int nthreads = 1;

static void tell(uint64_t seed)
{
	char line[64];
	int len = snprintf(line, sizeof(line), "%llu %016llx\n",
			   (unsigned long long)seed,
			   (unsigned long long)trace_hash);

	put(line, (size_t)len);
}

/* each thread its share; the order of lines is not that of the seeds */
static void *run(void *arg)
{
	uint64_t i = (uintptr_t)arg;

	file = memfd_create("fuzz", MFD_CLOEXEC);
	for (; i < count; i += nthreads) {
		sequence(first_seed + i);
		tell(first_seed + i);
	}
	return NULL;
}

static void on_timer(int sig)
{
	int saved = errno;
	char *p = mmap(NULL, 40 * page_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)sig;
	if (p == MAP_FAILED || p[0] || p[39 * page_size])
		_exit(4);
	p[39 * page_size] = 1;
	if (mprotect(p, page_size, PROT_READ) < 0 ||
	    munmap(p, 40 * page_size) < 0)
		_exit(5);
	errno = saved;
}

static void start_timer(void)
{
	const struct itimerval often = {{0, 150}, {0, 150}};
	struct sigaction action = {.sa_handler = on_timer,
				   .sa_flags = SA_RESTART};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

static void skip_list(const char *list)
{
	char *end;

	for (;; list = end + 1) {
		unsigned long i = strtoul(list, &end, 10);

		if (i < STEPS && end > list)
			skipped[i] = true;
		if (*end != ',')
			return;
	}
}

static bool parse(int argc, char **argv, bool *timer)
{
	int c;

	while ((c = getopt(argc, argv, "vst:k:")) >= 0) {
		if (c == 'v')
			verbose = true;
		else if (c == 's')
			*timer = true;
		else if (c == 't')
			nthreads = (unsigned int)atoi(optarg);
		else if (c == 'k')
			skip_list(optarg);
		else
			return false;
	}
	if (optind == argc || nthreads < 1 || nthreads > 16)
		return false;
	first_seed = strtoull(argv[optind], NULL, 10);
	if (optind + 1 < argc)
		count = strtoull(argv[optind + 1], NULL, 10);
	return true;
}

int main(int argc, char **argv)
{
	pthread_t threads[16];
	bool timer = false;

	if (!parse(argc, argv, &timer)) {
		fprintf(stderr, "usage: fuzz_maps [-v] [-s] [-t THREADS] "
				"[-k LIST] SEED [COUNT]\n");
		return 2;
	}
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	fault_catch();
	alone = nthreads == 1 && !timer;
	forks = nthreads == 1;
	if (timer)
		start_timer();
	if (nthreads == 1) {
		run(NULL);
		return 0;
	}
	for (uintptr_t i = 0; i < nthreads; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (unsigned int i = 0; i < nthreads; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
