/* SPDX-License-Identifier: MIT */
/*
 * figures.h - made-up figures for reports
 */
#ifndef TESTS_FIGURES_H
#define TESTS_FIGURES_H

#include <string.h>

#include "libhp/common.h"
#include "libhp/report.h"

struct figures {
	struct hp_options options;
	struct hp_pagesizes pagesizes;
	struct hp_stats stats;
	struct hp_report report;
};

/* a heap of 100 MiB used; @huge of its 52 slots are huge */
static inline void figures_make(struct figures *f, uint64_t huge)
{
	const uint64_t slot = 2 * HP_MIB;
	struct hp_source_stats heap = {
		.present = 52 * slot,
		.huge = huge * slot,
		.used = 100 * HP_MIB,
		.slots = 52,
	};

	memset(f, 0, sizeof(*f));
	hp_options_default(&f->options);
	f->pagesizes.pmd = slot;
	f->stats.heap = f->stats.managed = heap;
	f->stats.process.present = 60 * slot;
	f->stats.process.thp = f->stats.process.huge = huge * slot;
	f->stats.reasons[HP_REASON_SPLIT] = 52 - huge;
	f->report.options = &f->options;
	f->report.pagesizes = &f->pagesizes;
	f->report.stats = &f->stats;
	f->report.pid = 4242;
	f->report.when = "exit";
	f->report.alloc_calls = 77;
	strcpy(f->report.exe, "python3");
}

/* the kernel would not say anything */
static inline void figures_forget(struct figures *f)
{
	struct hp_source_stats blind = {
		.present = HP_BYTES_UNKNOWN,
		.huge = HP_BYTES_UNKNOWN,
		.unknown = 52 * 2 * HP_MIB,
		.used = 100 * HP_MIB,
		.slots = 52,
	};

	memset(&f->stats.process, 0xff, sizeof(f->stats.process));
	f->stats.heap = f->stats.managed = blind;
	memset(f->stats.reasons, 0, sizeof(f->stats.reasons));
	f->stats.reasons[HP_REASON_UNKNOWN] = 52;
}

#endif
