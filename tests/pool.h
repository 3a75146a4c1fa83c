/* SPDX-License-Identifier: MIT */
/*
 * pool.h - a hugetlb pool of known size while a system test runs
 */
#ifndef TESTS_POOL_H
#define TESTS_POOL_H

#include <inttypes.h>

#include "tests/memory.h"

static char pool_dir[128];
static uint64_t pool_before = UINT64_MAX;
static pid_t pool_owner;

static inline uint64_t pool_count(const char *name)
{
	char path[192];
	uint64_t n = UINT64_MAX;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", pool_dir, name);
	file = fopen(path, "re");
	if (!file)
		return n;
	if (fscanf(file, "%" SCNu64, &n) != 1)
		n = UINT64_MAX;
	fclose(file);
	return n;
}

static inline bool pool_set(uint64_t pages)
{
	char path[192];
	FILE *file;

	snprintf(path, sizeof(path), "%s/nr_hugepages", pool_dir);
	file = fopen(path, "we");
	if (!file)
		return false;
	fprintf(file, "%" PRIu64 "\n", pages);
	return fclose(file) == 0 && pool_count("nr_hugepages") == pages;
}

/* Check forks for every test, and those exit, too */
static inline void pool_restore(void)
{
	if (getpid() == pool_owner)
		pool_set(pool_before);
}

/* pool_open - exactly @pages free pages of a slot's size, or why not */
static inline const char *pool_open(uint64_t pages)
{
	snprintf(pool_dir, sizeof(pool_dir),
		 "/sys/kernel/mm/hugepages/hugepages-%zukB",
		 hp_slot_size() / HP_KIB);
	pool_before = pool_count("nr_hugepages");
	if (pool_before == UINT64_MAX)
		return "needs a hugetlb pool of the slot's size";
	pool_owner = getpid();
	atexit(pool_restore);
	if (!pool_set(pages))
		return "needs root and free memory to fill the hugetlb pool";
	if (pool_count("free_hugepages") != pages ||
	    pool_count("resv_hugepages") != 0)
		return "another program uses the hugetlb pool";
	return NULL;
}

#endif
