/* SPDX-License-Identifier: MIT */
/*
 * compare_arms.h - the arms of a comparison and what each of their runs took
 */
#ifndef HP_COMPARE_ARMS_H
#define HP_COMPARE_ARMS_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/settings.h"
#include "probe/hp_probe.h"

enum hp_measure {
	HP_MEASURE_WALL, /* seconds */
	HP_MEASURE_USER,
	HP_MEASURE_SYS,
	HP_MEASURE_MINOR, /* faults */
	HP_MEASURE_MAJOR,
	HP_MEASURE_RSS,	     /* peak, bytes; hugetlb not among them */
	HP_MEASURE_HUGETLB,  /* bytes */
	HP_MEASURE_COVERAGE, /* 0 .. 1 */
	HP_MEASURES
};

enum hp_role {
	HP_ROLE_PLAIN,	 /* without libhp */
	HP_ROLE_CONTROL, /* the same once more: what chance alone does */
	HP_ROLE_OFF,	 /* libhp's allocator on small pages */
	HP_ROLE_TRY,
};

/* why a verdict is not to be had */
enum hp_doubt {
	HP_DOUBT_NONE,
	HP_DOUBT_NOISE,	     /* difference within what chance does */
	HP_DOUBT_ROUNDS,     /* fewer than three complete rounds */
	HP_DOUBT_NOT_LOADED, /* libhp was not in the program */
	HP_DOUBT_OUTPUT,     /* the runs did not print the same */
	HP_DOUBT_STATUS,     /* the runs did not end the same */
};

struct hp_compare_run {
	bool done;
	bool loaded;		   /* libhp was in it to its end */
	int status;		   /* as of a shell: 128+n for signal n */
	unsigned int place;	   /* in the order of its round, from 1 */
	double value[HP_MEASURES]; /* NAN: not known */
};

enum { HP_COMPARE_ARMS_MAX = 12, HP_ALTERNATIVES_MAX = 8 };

/* values of one option, each of which makes an arm */
struct hp_alternatives {
	unsigned int n;
	char *value[HP_ALTERNATIVES_MAX]; /* owned */
};

struct hp_compare_arm {
	char name[16];
	enum hp_role role;
	const char *pages, *mmap; /* of an alternative; NULL: as set before */
	struct hp_settings settings;
	struct hp_compare_run *runs; /* one a round */

	/* filled in by hp_compare_judge() */
	struct hp_probe_summary summary[HP_MEASURES];
	struct hp_probe_interval to_plain, to_off; /* wall, < 1: less time */
	struct hp_probe_interval cpu_to_plain;	   /* user and system time */
	enum hp_probe_verdict verdict;		   /* of arms of role TRY */
	enum hp_doubt doubt;
};

struct hp_comparison {
	char *const *argv;
	unsigned int rounds; /* asked for */
	unsigned int n;
	struct hp_compare_arm arm[HP_COMPARE_ARMS_MAX]; /* plain first */
	struct hp_compare_run first; /* plain, watched, not timed */
	double warmed;		     /* bytes, at most, before a run */
	double load;		     /* average when it began; NAN */
	double floor;		     /* smallest effect that can be told */
	enum hp_doubt doubt;	     /* about all of it */
	bool compares_output;
	int stop; /* signal that ended it early; 0: none */
};

/**
 * hp_alternatives_add - one more
 *
 * Return: 0; -E2BIG there are HP_ALTERNATIVES_MAX; -ENOMEM.
 */
int hp_alternatives_add(struct hp_alternatives *all, const char *value);

void hp_alternatives_clear(struct hp_alternatives *all);

/**
 * hp_comparison_init - plain, plain once more, off, and an arm of mode try for
 * every pair of alternatives
 * @common: settings of all arms with libhp, copied
 * @pages, @mmap: may be empty; must outlive @c
 *
 * Return: 0; -E2BIG more than HP_COMPARE_ARMS_MAX arms; -ENOMEM. To be
 * cleared even then.
 */
int hp_comparison_init(struct hp_comparison *c, unsigned int rounds,
		       const struct hp_settings *common,
		       const struct hp_alternatives *pages,
		       const struct hp_alternatives *mmap);

void hp_comparison_clear(struct hp_comparison *c);

/* hp_comparison_find - the first arm of @role; every role has one */
struct hp_compare_arm *hp_comparison_find(struct hp_comparison *c,
					  enum hp_role role);

/* hp_compare_has_libhp - do runs of @arm preload libhp? */
bool hp_compare_has_libhp(const struct hp_compare_arm *arm);

#endif
