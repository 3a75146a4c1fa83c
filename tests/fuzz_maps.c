/* SPDX-License-Identifier: MIT */
/*
 * fuzz_maps.c - random sequences of the mmap family, the same for a seed
 *
 *	fuzz_maps [-v] [-s] [-t THREADS] [-k LIST] SEED [COUNT]
 *	fuzz_maps [-v] [-k LIST] -f FILE...
 *
 * Prints one line a sequence, its seed or file and a hash of all it saw. Run it
 * with and without libhp and compare (tests/fuzz_maps.sh). -v prints what goes
 * into the hash; -s maps and unmaps in a timer's handler meanwhile; -k leaves
 * out the steps listed ("3,7,12"), to make a sequence smaller; -f takes them
 * from files, as tests/fuzz_maps_twin.c writes.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/time.h>

#include "tests/fuzz_sequence.h"

static uint64_t first_seed, count = 1;
static unsigned int nthreads = 1;

static void tell(const char *name)
{
	char line[320];
	int len = snprintf(line, sizeof(line), "%.256s %016llx\n", name,
			   (unsigned long long)trace_hash);

	put(line, (size_t)len);
}

static void open_file(void)
{
	file = memfd_create("fuzz", MFD_CLOEXEC);
}

static void run_seed(uint64_t seed)
{
	struct input in = {.seed = seed};
	char name[24];

	sequence(&in);
	snprintf(name, sizeof(name), "%llu", (unsigned long long)seed);
	tell(name);
}

/* each thread its share; the order of lines is not that of the seeds */
static void *run(void *arg)
{
	uint64_t i = (uintptr_t)arg;

	open_file();
	for (; i < count; i += nthreads)
		run_seed(first_seed + i);
	return NULL;
}

static int run_files(char **names)
{
	static uint8_t bytes[STEPS * DRAW_BYTES];

	open_file();
	for (; *names; names++) {
		int fd = open(*names, O_RDONLY | O_CLOEXEC);
		ssize_t len = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
		struct input in = {.bytes = bytes, .len = (size_t)len};

		if (len < 1) {
			fprintf(stderr, "fuzz_maps: cannot read '%s'\n",
				*names);
			return 2;
		}
		close(fd);
		sequence(&in);
		tell(*names);
	}
	return 0;
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

static struct {
	bool timer, files;
} asked;

static bool parse(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "vsft:k:")) >= 0) {
		if (c == 'v')
			verbose = true;
		else if (c == 's')
			asked.timer = true;
		else if (c == 'f')
			asked.files = true;
		else if (c == 't')
			nthreads = (unsigned int)atoi(optarg);
		else if (c == 'k')
			skip_list(optarg);
		else
			return false;
	}
	return optind < argc && nthreads >= 1 && nthreads <= 16;
}

static void run_threads(void)
{
	pthread_t threads[16];

	for (uintptr_t i = 0; i < nthreads; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (unsigned int i = 0; i < nthreads; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
	if (!parse(argc, argv)) {
		fprintf(stderr, "usage: fuzz_maps [-v] [-s] [-t THREADS] "
				"[-k LIST] SEED [COUNT], or -f FILE...\n");
		return 2;
	}
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	fault_catch();
	alone = nthreads == 1 && !asked.timer;
	forks = nthreads == 1;
	if (asked.timer)
		start_timer();
	if (asked.files)
		return run_files(argv + optind);
	first_seed = strtoull(argv[optind], NULL, 10);
	if (optind + 1 < argc)
		count = strtoull(argv[optind + 1], NULL, 10);
	if (nthreads == 1)
		run(NULL);
	else
		run_threads();
	return 0;
}
