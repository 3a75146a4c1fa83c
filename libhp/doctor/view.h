/* SPDX-License-Identifier: MIT */
/*
 * view.h - where the memory of one running process is, and why
 */
#ifndef HP_VIEW_H
#define HP_VIEW_H

#include <stdio.h>

#include "libhp/doctor/exam.h"
#include "libhp/hp.h"
#include "libhp/pagesize.h"
#include "libhp/tool/memory.h"
#include "libhp/tool/target.h"

enum hp_kind {
	HP_KIND_ABSENT,	 /* nothing there, or only zero pages */
	HP_KIND_SMALL,	 /* on pages smaller than a slot, for a reason */
	HP_KIND_HUGE,	 /* mapped by a PMD */
	HP_KIND_HUGETLB, /* pages of a pool, present */
	HP_KIND_UNKNOWN, /* partly huge; which part cannot be asked */
	HP_KIND_COUNT
};

/* why a stretch is small; the first that holds */
enum hp_why {
	HP_WHY_NONE,
	HP_WHY_FILE,	  /* a file or shared: not libhp's or hppromote's */
	HP_WHY_UNALIGNED, /* no whole slot in this mapping here */
	HP_WHY_ADVICE,	  /* MADV_NOHUGEPAGE */
	HP_WHY_PRCTL,	  /* PR_SET_THP_DISABLE */
	HP_WHY_SIZE,	  /* size-disabled */
	HP_WHY_SYSFS,	  /* sysfs-never */
	HP_WHY_NOT_ASKED, /* THP is madvise, and this memory is not advised */
	HP_WHY_POSSIBLE,  /* nothing known is against it */
	HP_WHY_COUNT
};

/* equal neighbours of one mapping, joined */
struct hp_range {
	uint64_t start, end, present;
	enum hp_kind kind;
	enum hp_why why;
	bool whole; /* slots, not the cut ends of a mapping */
	char name[HP_SMAPS_NAME];
};

/* sums over ranges, in bytes */
struct hp_sum {
	uint64_t ranges, size, present;
};

struct hp_view {
	struct hp_target target;
	struct hp_pagesizes ps;
	bool has_total;
	struct hp_process_backing total; /* as smaps_rollup says */
	bool has_libhp;			 /* libhp-preload.so is mapped */
	size_t n, room;
	struct hp_range *ranges;
	struct hp_sum kinds[HP_KIND_COUNT];
	struct hp_sum small[HP_WHY_COUNT]; /* of kinds[HP_KIND_SMALL] */
};

/* hp_view_read - Return: 0, hp_view_clear() it; -errno */
int hp_view_read(pid_t pid, struct hp_view *out);
void hp_view_clear(struct hp_view *view);

/* cannot: nothing is huge, and something forbids it to all of the process */
enum hp_verdict hp_view_verdict(const struct hp_view *view);

/* why memory of @mapping that is small is; pure */
enum hp_why hp_view_why(const struct hp_view *view,
			const struct hp_smaps *mapping,
			const struct hp_stretch *stretch);

const char *hp_kind_text(enum hp_kind kind);
const char *hp_why_text(enum hp_why why);    /* the code: "not-asked" */
const char *hp_why_meaning(enum hp_why why); /* a line about it */

/* @all: mappings without a whole slot in lines of their own */
void hp_view_text(FILE *out, const struct hp_view *view, bool all);
/* one object of schema "libhp.doctor-process/1" */
void hp_view_json(FILE *out, const struct hp_view *view);

#endif
