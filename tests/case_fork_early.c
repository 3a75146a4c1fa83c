/* SPDX-License-Identifier: MIT */
/*
 * case_fork_early.c - what a child of fork touches before any handler lies in
 * the heap of a threaded process: stack, stream, thread-specific data, NSS
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <pwd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/case.h"

#define KEYS 100 /* more than fit into a thread's own block */
#define STACK MIB
#define ROUNDS 20

static pthread_barrier_t ready;
static pthread_key_t keys[KEYS];
static volatile char *churned;

/* the other thread, which writes to its heap all the time */
static void *churn(void *unused)
{
	char *p = malloc(MIB);

	MUST(p);
	for (size_t i = 0; i < KEYS; i++)
		MUST(!pthread_setspecific(keys[i], p + i));
	churned = p;
	pthread_barrier_wait(&ready);
	for (unsigned char n = 0;; n++)
		for (size_t i = 0; i < MIB; i += 4096)
			p[i] = (char)n;
	return unused;
}

static int child(FILE *memory, const char *before)
{
	char *p = malloc(100000);

	MUST(p && !strcmp(before, "before the fork"));
	memset(p, 1, 100000);
	free(p);
	for (size_t i = 0; i < KEYS; i++)
		MUST(!pthread_setspecific(keys[i], before));
	MUST(fprintf(memory, "%s", before) > 0 && !fflush(memory));
	MUST(getpwuid(0) && !strcmp(getpwuid(0)->pw_name, "root"));
	return 7;
}

static void *fork_often(void *unused)
{
	char *text, *before = strdup("before the fork");
	size_t len;
	int status;

	for (int i = 0; i < ROUNDS; i++) {
		FILE *memory = open_memstream(&text, &len);
		pid_t pid;

		MUST(memory && fprintf(memory, "x") > 0);
		pid = fork();
		MUST(pid >= 0);
		if (pid == 0)
			_exit(child(memory, before));
		MUST(waitpid(pid, &status, 0) == pid);
		MUST(WIFEXITED(status) && WEXITSTATUS(status) == 7);
		MUST(!fclose(memory) && len == 1);
		free(text);
	}
	printf("%d children\n", ROUNDS);
	return unused;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t other, forker;
	void *stack = NULL;

	MUST(getpwuid(0));
	for (size_t i = 0; i < KEYS; i++)
		MUST(!pthread_key_create(&keys[i], NULL));
	MUST(!pthread_barrier_init(&ready, NULL, 2));
	MUST(!pthread_create(&other, NULL, churn, NULL));
	pthread_barrier_wait(&ready);
	fork_often(NULL);
	MUST(!posix_memalign(&stack, 4096, STACK));
	MUST(!pthread_attr_init(&attr));
	MUST(!pthread_attr_setstack(&attr, stack, STACK));
	MUST(!pthread_create(&forker, &attr, fork_often, NULL));
	MUST(!pthread_join(forker, NULL));
	case_figure("hugetlb_kb",
		    case_field("/proc/self/smaps_rollup", "Private_Hugetlb"));
	fflush(stdout);
	_exit(0);
}
