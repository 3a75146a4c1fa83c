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
	uint64_t cgroup_free; /* bytes this cgroup may still take */
};

struct hp_mthp {
	size_t size;
	enum hp_thp_mode mode;
};

struct hp_pagesizes {
	size_t base; /* getpagesize() */
	size_t pmd;  /* one slot; sysfs hpage_pmd_size or derived from base */
	bool pmd_known;	 /* from the kernel, not derived */
	enum hp_thp_mode thp;	  /* transparent_hugepage/enabled */
	enum hp_thp_mode thp_pmd; /* hugepages-<pmd>kB/enabled; INHERIT if absent */
	int prctl; /* hp_linux_thp_disabled(); -errno unknown */
	uint64_t memcg_limit; /* bytes; HP_UNKNOWN none or not known */
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

/* the pool of @size, or NULL */
struct hp_pool *hp_pagesizes_pool(struct hp_pagesizes *ps, size_t size);

/* hp_pool_read - the counts of the pool of @pool->size anew */
int hp_pool_read(struct hp_pool *pool);

enum hp_reason; /* libhp/reason.h */

/**
 * hp_pagesizes_thp_reason - why an advised slot cannot get a THP
 *
 * Return: HP_REASON_NONE when nothing stands against it (or nothing is
 * known), else sysfs-never, size-disabled or prctl.
 */
enum hp_reason hp_pagesizes_thp_reason(const struct hp_pagesizes *ps);

/**
 * hp_size_parse - "2M", "64K", "1G", "4096" -> bytes
 *
 * One unit letter, either case, powers of 1024; nothing before or after.
 * Return: 0; -EINVAL; -ERANGE does not fit.
 */
int hp_size_parse(const char *text, size_t *out);

/* hp_size_format - "2M", "64K", "1G", else the plain number; at least 24 bytes */
char *hp_size_format(size_t size, char *buf);

#endif
