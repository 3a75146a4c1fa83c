/* SPDX-License-Identifier: MIT */
/*
 * nodes.c - many small nodes in random order, the worst case for the TLB
 *
 * usage: nodes [MIB]
 *
 * Builds MIB MiB (default 256) of 64-byte nodes with plain malloc, links them
 * in random order, follows the links and frees them. Run it as it is and under
 * hprun, and compare.
 *
 *	cc nodes.c $(pkg-config --cflags --libs libhp)
 */
#include <hp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STEPS 3000000

struct node {
	struct node *next;
	char payload[56];
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static size_t random_below(size_t n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)(state % n);
}

static double build(struct node **nodes, size_t n)
{
	double start = now_ns();

	for (size_t i = 0; i < n; i++) {
		nodes[i] = malloc(sizeof(*nodes[i]));
		if (!nodes[i]) {
			fprintf(stderr, "nodes: out of memory\n");
			exit(1);
		}
		nodes[i]->next = NULL;
	}
	return (now_ns() - start) / (double)n;
}

/* one ring through all of them, in random order */
static void shuffle(struct node **nodes, size_t n)
{
	for (size_t i = n - 1; i > 0; i--) {
		size_t j = random_below(i + 1);
		struct node *swap = nodes[i];

		nodes[i] = nodes[j];
		nodes[j] = swap;
	}
	for (size_t i = 0; i < n; i++)
		nodes[i]->next = nodes[(i + 1) % n];
}

static double chase(struct node *node)
{
	double start = now_ns();

	for (int i = 0; i < STEPS; i++) {
		node = node->next;
		/* else the compiler drops a walk that leads nowhere */
		__asm__ volatile("" : "+r"(node));
	}
	return (now_ns() - start) / STEPS;
}

static double release(struct node **nodes, size_t n)
{
	double start = now_ns();

	for (size_t i = 0; i < n; i++)
		free(nodes[i]);
	return (now_ns() - start) / (double)n;
}

int main(int argc, char **argv)
{
	size_t mib = argc > 1 ? strtoul(argv[1], NULL, 10) : 256;
	size_t n = mib * 1024 * 1024 / sizeof(struct node);
	struct node **nodes = malloc(n * sizeof(*nodes));
	struct hp_process_backing memory;
	double built, chased;

	if (n == 0 || !nodes) {
		fprintf(stderr, "nodes: MIB must be a number above 0\n");
		return 2;
	}
	built = build(nodes, n);
	shuffle(nodes, n);
	chased = chase(nodes[0]);
	printf("malloc %.1f ns, load %.1f ns, ", built, chased);
	if (hp_process_query(0, &memory) == 0)
		printf("coverage %.3f, ",
		       (double)memory.huge / (double)memory.present);
	else
		printf("coverage unknown, ");
	printf("free %.1f ns\n", release(nodes, n));
	free(nodes);
	return 0;
}
