/* SPDX-License-Identifier: MIT */
/*
 * filler.h - page-level space inside slots
 *
 * A page heap: runs of pages are placed into the fullest slot that has room,
 * so that sparse slots drain and can be given back whole. Larger requests take
 * consecutive slots and leave the rest of the last one to others. With crosses
 * set a run that fits nowhere begins at the end of one slot and goes on in the
 * next. What is resident beyond the pages in use is bounded (LIBHP_BLOAT): when
 * the bound is passed, empty slots go back to the kernel first, then the free
 * pages of the sparsest slots, which breaks those (reason released) until they
 * fill again.
 *
 * Thread-safe. Nothing allocates, errno is never touched. The lock is not held
 * across calls that populate, collapse or release memory. Lock order: grow,
 * then lock.
 */
#ifndef HP_FILLER_H
#define HP_FILLER_H

#include <sys/uio.h>

#include "libhp/ladder.h"
#include "libhp/lock.h"
#include "libhp/share.h"
#include "libhp/slot.h"
#include "libhp/stats.h"

#define HP_FILLER_CLASSES 80
#define HP_FILLER_FULLNESS 8
#define HP_FILLER_LISTS (HP_FILLER_CLASSES * HP_FILLER_FULLNESS)

#define HP_FILLER_RANGES 256

/* of the slot being broken; 5 KiB are too much for the stack of a free() */
struct hp_filler_gaps {
	uint64_t map[HP_SLOT_WORDS_MAX]; /* its pages in use */
	struct iovec ranges[HP_FILLER_RANGES];
};

struct hp_filler {
	/* first, away from the locks: free() of every thread reads its head */
	struct hp_slots slots;
	struct hp_lock lock;	 /* guards all but grow and ladder */
	struct hp_lock grow;	 /* one thread at a time maps more slots */
	struct hp_ladder ladder; /* guarded by grow */
	uint32_t heads[HP_FILLER_LISTS];
	uint64_t filled[HP_FILLER_LISTS / 64]; /* lists that have members */
	uint64_t used;			       /* pages handed out */
	uint64_t resident; /* pages the kernel may hold for us */
	uint64_t calls;	   /* runs handed out so far */
	uint64_t broken;   /* slots that are HP_SLOT_BROKEN */
	uint64_t recheck;  /* excess below which releasing is not tried again */
	unsigned int patience;	/* before this many runs are given back */
	bool releasing;		/* one thread at a time breaks or mends slots */
	unsigned int restoring; /* threads that map slots anew */
	bool forking;		/* and none begins */
	bool missed;		/* a slot was due to be mended just then */
	bool marked;	      /* the program changed mappings of ours itself */
	uint64_t exceeded_ms; /* since when the bound is; 0: it is not */
	uint64_t released_ms; /* when memory went back last */
	uint64_t left;	      /* pages resident after that */
	uint64_t high;	      /* most pages in use since then, or in rounds */
	uint64_t rounds_ms;   /* what went was taken again at once, seen when */
	unsigned int bloat;   /* percent */
	struct hp_start *start; /* NULL: stays on small pages for ever */
	/* called before pages come back, without a lock; may be NULL */
	void (*watch)(struct hp_filler *f, size_t pages);
	bool huge;	  /* slots are advised; false below LIBHP_START */
	bool pool;	  /* some rung before thp is hugetlb */
	bool collapse;	  /* nothing on this machine stands against THP */
	int small_advice; /* for slots that must not be huge */
	bool keep;	  /* a sandbox forbids madvise: release nothing */
	bool exact;	  /* map no slot ahead: MCL_FUTURE */
	bool crosses;	  /* runs shorter than a slot may lie in two of them */
	bool sparse;	  /* some slot is HP_SLOT_SPARSE */
	struct hp_filler_gaps gaps; /* of who set releasing */
};

/**
 * hp_filler_init - an empty filler; costs two system calls
 * @opt: ladder, bloat, NUMA; must live as long as the filler
 * @ps:  must be filled in; not kept
 * @start: shared threshold; ignored in mode off
 *
 * Return: 0; -ENOMEM no address space.
 */
int hp_filler_init(struct hp_filler *f, const struct hp_options *opt,
		   const struct hp_pagesizes *ps, struct hp_start *start);

/**
 * hp_filler_take - a run of pages, contents as @clean says
 * @pages: length; @align: of its start, in pages, power of two
 * @clean: set to true if every byte is known to be zero
 *
 * Return: its address; NULL no memory.
 */
void *hp_filler_take(struct hp_filler *f, size_t pages, size_t align,
		     bool *clean);

/**
 * hp_filler_take_sparse - whole slots of which little will be touched
 *
 * Tables of an allocator: they stay on small pages, and do not count towards
 * LIBHP_START, until the heap is so large that they fill up.
 */
void *hp_filler_take_sparse(struct hp_filler *f, size_t pages, bool *clean);

/* hp_filler_take_at - these very pages, or false; for growth in place */
bool hp_filler_take_at(struct hp_filler *f, void *addr, size_t pages,
		       bool *clean);

/* hp_filler_give - a run or any part of one back */
void hp_filler_give(struct hp_filler *f, void *addr, size_t pages);

/* hp_filler_give_clean - the same for pages that are zero or not there */
void hp_filler_give_clean(struct hp_filler *f, void *addr, size_t pages);

/**
 * hp_filler_seal - a sandbox is about to forbid madvise
 *
 * What is mapped stays as it is, nothing is released any more, and what is
 * mapped from here on inherits the advice of the mapping it extends.
 */
void hp_filler_seal(struct hp_filler *f);

/* hp_filler_ranges - every slot in use, equal neighbours joined */
void hp_filler_ranges(struct hp_filler *f, hp_range_fn fn, void *arg);

/* around fork: no other thread's half-done work may reach the child */
void hp_filler_fork_prepare(struct hp_filler *f);
void hp_filler_fork_parent(struct hp_filler *f);
void hp_filler_fork_child(struct hp_filler *f);

/* for the files beside this one */
void hp_filler_lock(struct hp_filler *f);
void hp_filler_unlock(struct hp_filler *f);

#endif
