/* SPDX-License-Identifier: MIT */
/*
 * live_tables.h - which lines the walks of a live probe visit, in which order
 */
#ifndef HP_LIVE_TABLES_H
#define HP_LIVE_TABLES_H

#include "probe/live_view.h"

enum hp_live_walk {
	HP_LIVE_ANY,	/* random lines of everything */
	HP_LIVE_SPREAD, /* few lines, as far apart as can be */
	HP_LIVE_PACKED, /* as many side by side */
	HP_LIVE_NEAR,	/* lines of the sampled pages */
	HP_LIVE_TWIN,	/* their counterparts in small pages */
	HP_LIVE_WALKS
};

enum {
	HP_LIVE_ANY_LINES = 32768,
	HP_LIVE_CACHED_LINES = 8192, /* at most; a quarter of the cache */
	HP_LIVE_PAGES = 8192,	     /* sampled: 32 MiB of 4 KiB pages */
	HP_LIVE_PAGE_LINES = 8,
};

struct hp_live_table {
	uint64_t *offset; /* of a line, from hp_live_tables.base */
	size_t n;
};

struct hp_live_tables {
	struct hp_live_table walk[HP_LIVE_WALKS];
	uint64_t *scratch; /* HP_LIVE_ANY_LINES positions */
	uint64_t *sampled; /* positions of the sampled pages, ascending */
	size_t nsampled;
	size_t cached;	   /* lines of SPREAD and PACKED */
	uint64_t line;	   /* bytes */
	uintptr_t twin;	   /* small-page mapping; 0 none */
	size_t twin_bytes; /* of its address space */
	size_t page;
	uint64_t base; /* no address; a multiple of the page size */
	void *memory;  /* all of the above lies in it */
	size_t memory_bytes;
	uint64_t seed; /* of the next random choice */
};

/**
 * hp_live_tables_open - room for the tables
 * @line:  of the first-level cache
 * @cache: bytes of the private second-level cache
 *
 * Return: 0; -ENOMEM.
 */
int hp_live_tables_open(struct hp_live_tables *tables, uint64_t line,
			uint64_t cache, uint64_t seed) HP_MUST_CHECK;
void hp_live_tables_close(struct hp_live_tables *tables);

/**
 * hp_live_tables_twin - small pages for some of @view's pages
 *
 * Address space as large as what is present, of which only the sampled pages
 * are touched. Fails harmlessly: there is no twin then.
 */
void hp_live_tables_twin(struct hp_live_tables *tables,
			 const struct hp_live_view *view);

/* hp_live_tables_any - new random lines of what is present; the gate must be
 * shut; 0 or -errno */
int hp_live_tables_any(struct hp_live_tables *tables,
		       struct hp_live_view *view) HP_MUST_CHECK;

/**
 * hp_live_tables_refresh - all but ANY, from what is present now
 * @view: just counted; the gate must be shut
 *
 * Return: 0 or -errno.
 */
int hp_live_tables_refresh(struct hp_live_tables *tables,
			   struct hp_live_view *view) HP_MUST_CHECK;

/**
 * hp_live_table_turn - other lines of the very same pages, or back again
 * @first: entry to start with; @n: how many, with those at the start after the
 *	   last one
 */
void hp_live_table_turn(struct hp_live_table *table, size_t first, size_t n);

#endif
