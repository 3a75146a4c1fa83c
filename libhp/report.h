/* SPDX-License-Identifier: MIT */
/*
 * report.h - figures -> text or JSON, to a descriptor
 *
 * The only file of the library that formats for people. Works in a stack
 * buffer, so it may run in a process that is exiting or out of memory.
 */
#ifndef HP_REPORT_H
#define HP_REPORT_H

#include "libhp/hp.h"
#include "libhp/json.h"
#include "libhp/options.h"
#include "libhp/pagesize.h"
#include "libhp/stats.h"

/* all a report says; whoever writes one fills it in */
struct hp_report {
	const struct hp_options *options; /* NULL: outside the preload */
	const struct hp_pagesizes *pagesizes;
	const struct hp_stats *stats;
	int pid;
	char exe[128];	      /* base name */
	const char *when;     /* "exit" or "peak": the moment of the figures */
	bool sandboxed;	      /* no file may be opened: pools are not known */
	uint64_t alloc_calls; /* extents asked of the filler */
	const char *probe;    /* JSON value for the key, or NULL */
	const char *probe_line; /* the same for people, or NULL */
	/* who had the memory: the JSON value, and a table; or NULL */
	void (*sites)(struct hp_json *json);
	void (*sites_table)(struct hp_out *out);
};

enum hp_verdict {
	HP_VERDICT_HUGE,    /* coverage of what libhp manages >= 0.9 */
	HP_VERDICT_PARTIAL, /* >= 0.01 */
	HP_VERDICT_NONE,
	HP_VERDICT_OFF,	    /* mode off and the kernel confirms 0 */
	HP_VERDICT_UNKNOWN, /* the kernel could not be asked */
};

enum hp_verdict hp_report_verdict(const struct hp_report *r);
const char *hp_report_verdict_text(enum hp_verdict verdict);

/* coverage of the whole process in percent of a percent; -1 unknown */
int hp_report_coverage(const struct hp_report *r);

/**
 * hp_report_print - the report, as the contract lays it down
 *
 * Return: 0; -errno of write(2). Whoever opened @fd closes it.
 */
int hp_report_print(const struct hp_report *r, int fd, enum hp_format format);

/* hp_report_path - expand %p, %e and %% of @pattern; -ENAMETOOLONG */
int hp_report_path(const char *pattern, int pid, const char *exe, char *out,
		   size_t size);

#endif
