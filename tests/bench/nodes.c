/* SPDX-License-Identifier: MIT */
/*
 * nodes MIB - 64-byte nodes: allocate, shuffle into one ring, chase, free
 *
 * Prints ns for each operation and the coverage while all of them are there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define SAMPLES 21
#define HOPS 300000

struct node {
	struct node *next;
	char payload[56];
};

static double allocate(struct node **nodes, size_t n)
{
	double start = now_ns();

	for (size_t i = 0; i < n; i++) {
		nodes[i] = malloc(sizeof(struct node));
		if (!nodes[i])
			exit(1);
		nodes[i]->next = NULL;
	}
	return (now_ns() - start) / (double)n;
}

/* Sattolo's shuffle: the nodes in array order are one ring */
static void link_ring(struct node **nodes, size_t n)
{
	for (size_t i = n - 1; i; i--) {
		size_t j = next_random() % i;
		struct node *swap = nodes[i];

		nodes[i] = nodes[j];
		nodes[j] = swap;
	}
	for (size_t i = 0; i < n; i++)
		nodes[i]->next = nodes[(i + 1) % n];
}

static double chase(struct node *at)
{
	double sample[SAMPLES];

	for (int i = 0; i < SAMPLES; i++) {
		double start = now_ns();

		for (int hop = 0; hop < HOPS; hop++) {
			at = at->next;
			KEEP(at);
		}
		sample[i] = (now_ns() - start) / HOPS;
	}
	return median(sample, SAMPLES);
}

static double release(struct node **nodes, size_t n)
{
	double start = now_ns();

	for (size_t i = 0; i < n; i++)
		free(nodes[i]);
	return (now_ns() - start) / (double)n;
}

static long kib(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtol(at + strlen(key), NULL, 10) : 0;
}

/* of the whole process; -1 where the kernel does not say */
static double coverage(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	char text[4096] = "";
	long huge, hugetlb;

	if (!file)
		return -1;
	if (fread(text, 1, sizeof(text) - 1, file) == 0)
		text[0] = '\0';
	fclose(file);
	hugetlb = kib(text, "\nPrivate_Hugetlb:");
	huge = kib(text, "\nAnonHugePages:") + hugetlb;
	return *text ? (double)huge / (double)(kib(text, "\nRss:") + hugetlb)
		     : -1;
}

int main(int argc, char **argv)
{
	size_t mib = argc > 1 ? strtoul(argv[1], NULL, 10) : 768;
	size_t n = (mib << 20) / sizeof(struct node);
	struct node **nodes = n ? malloc(n * sizeof(*nodes)) : NULL;

	if (!nodes) {
		fputs("usage: nodes MIB\n", stderr);
		return 2;
	}
	printf("malloc_ns %.2f\n", allocate(nodes, n));
	link_ring(nodes, n);
	printf("chase_ns %.2f\n", chase(nodes[0]));
	printf("coverage %.4f\n", coverage());
	printf("free_ns %.2f\n", release(nodes, n));
	free(nodes);
	return 0;
}
