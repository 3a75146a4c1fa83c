/* SPDX-License-Identifier: MIT */
/*
 * pagesize.h - which kinds of page this machine has; found once
 *
 * Every size is in bytes and found at run time. Facts that could not be read
 * are HP_UNKNOWN, never 0.
 */
#ifndef HP_PAGESIZE_H
#define HP_PAGESIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libhp/hp.h"
#include "libhp/size.h"

#define HP_UNKNOWN UINT64_MAX
#define HP_HUGETLB_MAX 8 /* sizes of hugetlb page; arm64 has four */
#define HP_MTHP_MAX 16	 /* orders below the PMD */

/* the bracketed word of a THP sysfs file */
enum hp_thp_mode {
	HP_THP_UNKNOWN, /* file missing or unreadable */
	HP_THP_ALWAYS,
	HP_THP_INHERIT, /* per-size files only */
	HP_THP_MADVISE,
	HP_THP_NEVER,
};

struct hp_pool {
	size_t size; /* of one page */

	uint64_t total, free, reserved, surplus, overcommit; /* pages */
	uint64_t cgroup_free; /* bytes; HP_UNKNOWN: no limit or not known */
};

/* a size of THP below the PMD */
struct hp_mthp {
	size_t size;
	enum hp_thp_mode mode;
};

struct hp_pagesizes {
	size_t base;	/* getpagesize() */
	size_t pmd;	/* one slot; hpage_pmd_size or derived from base */
	bool pmd_known; /* from the kernel, not derived */
	/* transparent_hugepage/enabled */
	enum hp_thp_mode thp;
	/* transparent_hugepage/hugepages-<pmd>kB/enabled; INHERIT if absent */
	enum hp_thp_mode thp_pmd;
	int prctl;	      /* hp_linux_thp_disabled(); -errno unknown */
	uint64_t memcg_limit; /* bytes; HP_UNKNOWN: no limit or not known */
	unsigned int npools, nmthp;
	struct hp_pool pools[HP_HUGETLB_MAX]; /* largest first */
	struct hp_mthp mthp[HP_MTHP_MAX];     /* largest first */
};

/**
 * hp_pagesizes_read - ask sysfs, procfs and cgroups (v1 and v2)
 *
 * Always fills @out: whatever cannot be read is unknown. Call it at start
 * only; programs may forbid these files later. Does not allocate.
 */
void hp_pagesizes_read(struct hp_pagesizes *out);

/**
 * hp_pagesizes_read_thp - only what every start needs
 *
 * base, pmd, thp, thp_pmd, prctl and memcg_limit; no pools, no mthp. Some six
 * files instead of forty: for programs that run
 * for a millisecond and want neither hugetlb pages nor a report.
 */
void hp_pagesizes_read_thp(struct hp_pagesizes *out);

/* for fixture trees: a kernel whose base page has @base bytes */
void hp_pagesizes_read_as(struct hp_pagesizes *out, size_t base);

/* the pool of @size, or NULL */
struct hp_pool *hp_pagesizes_pool(struct hp_pagesizes *ps, size_t size);

/**
 * hp_pool_read - the counts of the pool of @pool->size anew, cgroup included
 *
 * From sysfs, or /proc/meminfo for the default size where sysfs is masked.
 * Return: 0; -errno, @pool untouched.
 */
int hp_pool_read(struct hp_pool *pool);

/**
 * hp_pagesizes_thp_reason - why an advised slot cannot get a THP
 *
 * The setting of the size counts; the global one only where the size says
 * "inherit". Return: HP_REASON_NONE when nothing stands against it (or nothing
 * is known), else sysfs-never, size-disabled or prctl.
 */
enum hp_reason hp_pagesizes_thp_reason(const struct hp_pagesizes *ps);

#endif
