/* SPDX-License-Identifier: MIT */
/*
 * trial.h - having huge pages for a moment, to know that they can be had
 *
 * Memory is mapped, touched, looked at and unmapped again; nothing stays. Every
 * hugetlb page is asked for in a way that fails instead of killing.
 */
#ifndef HP_TRIAL_H
#define HP_TRIAL_H

#include "libhp/pagesize.h"

enum hp_trial_result {
	HP_TRIAL_UNKNOWN, /* not tried, or the kernel does not show the result
			   */
	HP_TRIAL_NO,
	HP_TRIAL_YES,
};

struct hp_trial {
	unsigned int asked;	     /* slots to try */
	unsigned int wanted;	     /* of these, as far as there is memory */
	bool skipped;		     /* there is not enough for one */
	bool refused;		     /* there is, but not in address space */
	unsigned int touched;	     /* slots a page of which was touched */
	unsigned int huge;	     /* of these, huge afterwards */
	enum hp_trial_result fault;  /* all of them huge */
	enum hp_trial_result advice; /* MADV_HUGEPAGE is accepted */
	enum hp_trial_result late; /* one that was read before it was written */
	enum hp_trial_result collapse;
	int collapse_error; /* -errno when it was refused */
	enum hp_trial_result hugetlb[HP_HUGETLB_MAX]; /* as in @ps->pools */
};

/**
 * hp_trial_run - try faults, a late write, one collapse and one page of every pool
 * @wanted: slots for the faults; 0: try nothing, all is unknown
 *
 * No more than an eighth of available memory is taken, and what a limit on
 * address space allows. Reaching either lowers @out->wanted. A pool of pages
 * over 64 MiB is not tried: a page that it says is free counts as had.
 */
void hp_trial_run(const struct hp_pagesizes *ps, unsigned int wanted,
		  struct hp_trial *out);

#endif
