/* SPDX-License-Identifier: MIT */
/*
 * options.h - LIBHP_* text -> struct; pure
 *
 * Parsing is strict: one spelling per value, nothing before or after it.
 */
#ifndef HP_OPTIONS_H
#define HP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HP_LADDER_MAX 8
#define HP_PATH_MAX 1024
#define HP_LIST_MAX 512
#define HP_NODES_MAX 1024 /* the kernel's own limit (CONFIG_NODES_SHIFT) */

enum hp_mode { HP_MODE_TRY, HP_MODE_ON, HP_MODE_OFF };
enum hp_mmap_mode { HP_MMAP_PACK, HP_MMAP_ALIGN, HP_MMAP_OFF };
enum hp_fork_mode { HP_FORK_AUTO, HP_FORK_SHARE, HP_FORK_DEMOTE };
enum hp_numa_mode { HP_NUMA_LOCAL, HP_NUMA_INTERLEAVE, HP_NUMA_BIND };
enum hp_sink { HP_SINK_OFF, HP_SINK_STDERR, HP_SINK_FD, HP_SINK_PATH };

/* one rung of LIBHP_PAGES: a hugetlb size in bytes, or HP_RUNG_THP */
#define HP_RUNG_THP ((size_t)0)

struct hp_report_option {
	enum hp_sink sink;
	bool json;
	int fd;
	char path[HP_PATH_MAX]; /* with %p, %e and %% not yet expanded */
};

struct hp_probe_option {
	bool at_exit;
	int signal;	    /* 0 none */
	unsigned int every; /* seconds; 0 never */
};

struct hp_options {
	enum hp_mode mode;
	unsigned int nrungs;
	size_t rungs[HP_LADDER_MAX]; /* powers of two, had or not */
	enum hp_mmap_mode mmap;
	size_t start;	    /* bytes */
	unsigned int bloat; /* percent */
	int require;	    /* percent; -1 none */
	struct hp_report_option report;
	struct hp_probe_option probe;
	bool sites;
	char sites_path[HP_PATH_MAX]; /* export, patterns as above; or "" */
	enum hp_fork_mode fork;
	enum hp_numa_mode numa;
	/* bit mask; unless bound to some, empty until hp_init() */
	uint64_t numa_nodes[HP_NODES_MAX / 64];
	char only[HP_LIST_MAX]; /* colon list; empty: every program */
	bool inherit;
	/* LIBHP_RESULT: JSON report for the launcher, written if pid matches */
	int result_pid;
	char result_path[HP_PATH_MAX];
};

/* every default of the contract */
void hp_options_default(struct hp_options *out);

/**
 * hp_options_set - one variable's text
 * @name:  with or without the LIBHP_ prefix, e.g. "LIBHP_PAGES"
 * @value: its text; empty is a bad value
 *
 * Return: 0; -ENOENT unknown name; -EINVAL bad value, @opt unchanged.
 */
int hp_options_set(struct hp_options *opt, const char *name, const char *value);

/* what @name accepts, for messages: "off, try or on"; NULL unknown name */
const char *hp_options_accepts(const char *name);

/**
 * hp_options_text - the value of @name now in force, e.g. "try"
 *
 * "none" for REQUIRE and RESULT and "every program" for ONLY when not set. Cut
 * when @size is too small. Return: @buf; NULL unknown name.
 */
char *hp_options_text(const struct hp_options *opt, const char *name, char *buf,
		      size_t size);

/* is program @exe (base name) one LIBHP_ONLY lets in? */
bool hp_options_admits(const struct hp_options *opt, const char *exe);

/* every name there is, without prefix, NULL-terminated */
extern const char *const hp_options_names[];

#endif
