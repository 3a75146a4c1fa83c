/* SPDX-License-Identifier: MIT */
/*
 * hp_probe.h - what memory costs, measured with its backing proven
 *
 * The operations of hpprobe(1) as functions. Sizes are bytes, times are
 * nanoseconds; a double that is NAN and a pointer that is NULL mean "not
 * known". Functions return 0 or -errno, print nothing, never exit and change
 * no setting of the machine. They allocate with malloc(3), pin the calling
 * thread to one cpu while they run and restore its affinity afterwards. Run
 * one at a time per process: two measurements disturb each other.
 */
#ifndef HP_PROBE_H
#define HP_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hp_granule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* what the results mean; grows, never changes: schema "libhp.probe/1" */
#define HP_PROBE_SCHEMA "libhp.probe/1"

/**
 * struct hp_probe_options - what to measure; 0 or NULL chooses the default
 *
 * Start from hp_probe_options_init().
 */
struct hp_probe_options {
	uint64_t span;	      /* bytes; 1 GiB or a quarter of free memory */
	const char *pages;    /* kinds, e.g. "4k,thp,2M"; all there are */
	const char *pattern;  /* e.g. "dense,sparse"; all the command has */
	uint64_t stride;      /* node spacing or block; by pattern */
	unsigned int streams; /* parallel chains, 1 .. 16; 8 */
	unsigned int rounds;  /* fresh allocations per arm, 1 .. 256; 5 */
	unsigned int chunks;  /* timed per arm and round, 1 .. 256; 8 */
	int cpu;	      /* to run on; -1 chooses the fastest */
	uint64_t seed;	      /* of every random choice */
	double limit_s;	      /* take no longer; 0: hp_probe_bound() */
	/* called once before starting, with the bound in seconds; or NULL */
	void (*announce)(const char *command, double bound_s, void *arg);
	/* called between steps; @done is 0 .. 1; or NULL */
	void (*progress)(const char *step, double done, void *arg);
	void *arg;		  /* of both */
	const volatile int *stop; /* set to non-zero, e.g. by a signal */
	uint64_t reserved[4];
};

/* median, quartiles and least of one arm */
struct hp_probe_summary {
	double median, q1, q3, min;
};

/* a value and its 95 % bootstrap interval */
struct hp_probe_interval {
	double value, lo, hi;
};

enum hp_probe_verdict {
	HP_PROBE_UNVERIFIED,	    /* backing or numbers do not allow one */
	HP_PROBE_INDISTINGUISHABLE, /* inside what the method can tell */
	HP_PROBE_FASTER,
	HP_PROBE_SLOWER,
	HP_PROBE_BASELINE, /* none: others are compared with this arm */
};

/* the verdict as text results print it */
const char *hp_probe_verdict_text(enum hp_probe_verdict verdict);

/* why a chunk was dropped */
enum hp_probe_drop {
	HP_PROBE_MIGRATED,  /* thread changed cpu */
	HP_PROBE_PREEMPTED, /* another thread ran, or this one waited to */
	HP_PROBE_FAULTED,   /* page faults */
	HP_PROBE_STOLEN,    /* the hypervisor ran something else */
	HP_PROBE_CLOCK,	    /* core clock moved or below its best tier */
	HP_PROBE_DROPS
};

/* the cause as the results print it */
const char *hp_probe_drop_text(enum hp_probe_drop cause);

struct hp_probe_chunks {
	uint32_t kept, total;
	uint32_t dropped[HP_PROBE_DROPS];
};

/* what the kernel said about the memory, the worst of all asking */
struct hp_probe_backing {
	char asked[16];	     /* kind of page wanted */
	uint64_t huge_bytes; /* UINT64_MAX: not known */
	uint64_t bytes;	     /* present */
	const char *source;  /* "pagemap-scan", "smaps", "mthp-counters" */
	bool verified;	     /* before and after measuring, every round */
};

/* first-touch cost, of hp_probe_fault() only */
struct hp_probe_touch {
	double p50, p90, p99, max; /* ns per fault */
	double ns_per_kib;
};

/* per load, where the processor's counters may be read */
struct hp_probe_counters {
	double dtlb_misses, walks;
};

/**
 * struct hp_probe_arm - one line of a result
 */
struct hp_probe_arm {
	char pages[16];	     /* kind of page, e.g. "4k", "thp", "1G" */
	const char *pattern; /* how it was walked, e.g. "dense" */
	const char *role;    /* "baseline", "control" or "arm" */
	uint64_t span, stride, nodes;
	unsigned int streams;
	unsigned int rounds;	    /* fresh allocations that gave a value */
	struct hp_probe_summary ns; /* per load, across rounds */
	double cycles;		    /* per load, at the measured core clock */
	struct hp_probe_chunks chunks;
	struct hp_probe_backing backing;
	struct hp_probe_interval ratio;	      /* to the baseline, < 1 faster */
	struct hp_probe_interval translation; /* ns: sparse minus packed */
	struct hp_probe_touch touch;
	struct hp_probe_counters counters;
	double floor; /* smallest relative effect this comparison can tell */
	enum hp_probe_verdict verdict;
	char reason[128]; /* why there is no value; empty if there is one */
};

/**
 * struct hp_probe_live - what loads from memory in use cost
 *
 * Intervals are over rounds; NAN where it could not be measured.
 */
struct hp_probe_live {
	uint64_t bytes, huge_bytes;  /* present; UINT64_MAX not known */
	struct hp_probe_interval ns; /* a load from a random line of it */
	/* of that at least: lines far apart minus the same lines packed */
	struct hp_probe_interval translation;
	struct hp_probe_interval small; /* the load on small pages, at least */
	struct hp_probe_interval ratio; /* the same lines: here / small pages */
	uint64_t small_bytes;		/* populated for that comparison */
	struct hp_probe_chunks chunks;
	double elapsed_s;
	char reason[128]; /* why there is nothing, or not all; may be empty */
};

struct hp_probe_cache {
	unsigned int level;
	uint64_t size, line;
};

struct hp_probe_machine {
	char cpu_model[96], arch[16], kernel[96], governor[32];
	int cpu;	/* the one that measured; -1 not pinned */
	int hypervisor; /* 1 yes, 0 no, -1 not known */
	unsigned int ncaches;
	struct hp_probe_cache caches[6]; /* data and unified, by level */
	double clock_read_ns;		 /* one reading of the wall clock */
	double cycle_ns;		 /* one core cycle, fastest tier */
	uint64_t base_page, huge_page;
	char thp[16];		 /* always, madvise, never; empty: not known */
	char counters_error[96]; /* why there are no counters; else empty */
};

/* yes, no, or could not be told */
enum hp_probe_finding { HP_PROBE_UNKNOWN = -1, HP_PROBE_NO, HP_PROBE_YES };

/* of hp_probe_integrity() */
struct hp_probe_integrity_findings {
	enum hp_probe_finding content_prefetcher;  /* follows stored pointers */
	enum hp_probe_finding value_predictor;	   /* guesses loaded values */
	enum hp_probe_finding temporal_prefetcher; /* replays old sequences */
};

/**
 * struct hp_probe_result - everything one operation found
 *
 * Owned by the caller; hp_probe_result_free().
 */
struct hp_probe_result {
	const char *command;
	struct hp_probe_machine machine;
	struct hp_probe_options options; /* as used; pointers not kept */
	char pages[128];		 /* options.pages as used */
	size_t narms;
	struct hp_probe_arm *arms;
	double noise_floor; /* the worst of all comparisons */
	struct hp_probe_integrity_findings integrity;
	bool conclusions_valid; /* at least two arms verified and sampled */
	bool interrupted;	/* stopped, or out of time */
	double bound_s, elapsed_s;
	unsigned int nnotes;
	char notes[8][128];
};

/**
 * struct hp_granule_finding - one kind of page, of hp_probe_granule()
 * @backing: what the kernel said, the worse of both buffers
 * @sweep:   what was measured in each, for hp_granule_infer(); empty if not
 * @result:  what they show
 * @reason:  why there is no result, or why the backing is not verified
 */
struct hp_granule_finding {
	char pages[16];
	uint64_t span; /* of each buffer: whole pages, at least one */
	struct hp_probe_backing backing;
	struct hp_granule_claim claim;
	struct hp_granule_sweep sweep[2];
	struct hp_probe_chunks chunks[2];
	struct hp_granule_result result;
	char reason[128];
};

/**
 * struct hp_granule_study - everything hp_probe_granule() found
 *
 * Owned by the caller; hp_granule_study_free().
 */
struct hp_granule_study {
	struct hp_probe_machine machine;
	struct hp_probe_options options; /* as used; pointers not kept */
	char pages[128];		 /* options.pages as used */
	size_t nfindings;
	struct hp_granule_finding *findings;
	bool conclusions_valid; /* at least one kind was measured */
	bool interrupted;	/* stopped, or out of time */
	double bound_s, elapsed_s;
};

/**
 * hp_probe_options_init - every default
 * @options: receives them
 */
void hp_probe_options_init(struct hp_probe_options *options);

/**
 * hp_probe_bound - seconds an operation will take at most
 * @command: "table", "sweep", "granule", "fault", "control", "integrity"
 * @options: what to measure; span, rounds and chunks must be set
 *
 * Return: seconds; 0 for an unknown command.
 */
double hp_probe_bound(const char *command,
		      const struct hp_probe_options *options);

/**
 * hp_probe_table - dense, sparse, parallel and random loads per page kind
 * @options: NULL for defaults
 * @out:     receives the result; untouched on failure
 *
 * A kind that cannot be had is an arm with a reason, not a failure.
 *
 * Return: 0; -EINVAL an option is out of range, or a page kind is not one this
 * machine knows; -ENOENT the command has no such pattern; -ENOMEM the span does
 * not fit memory.
 */
int hp_probe_table(const struct hp_probe_options *options,
		   struct hp_probe_result **out);

/**
 * hp_probe_sweep - latency against span, from 4 KiB, four points per octave
 *
 * Patterns "dense" (default) and "sparse". Otherwise as hp_probe_table().
 */
int hp_probe_sweep(const struct hp_probe_options *options,
		   struct hp_probe_result **out);

/**
 * hp_probe_granule - what one translation really covers, per page kind
 *
 * Sweeps the number of blocks touched and the spacing between them, in two
 * fresh buffers of each kind, and reports what both show. Of @options: span,
 * pages, rounds (at least 3), cpu, seed, limit_s, announce, progress and stop.
 * Otherwise as hp_probe_table().
 */
int hp_probe_granule(const struct hp_probe_options *options,
		     struct hp_granule_study **out);

/* hp_granule_study_free - @study may be NULL */
void hp_granule_study_free(struct hp_granule_study *study);

/**
 * hp_probe_fault - first-touch cost per page kind
 *
 * "fresh" memory was not used by this process before, "recycled" memory was
 * given back and is touched again at once. Otherwise as hp_probe_table().
 */
int hp_probe_fault(const struct hp_probe_options *options,
		   struct hp_probe_result **out);

/**
 * hp_probe_control - the method's own noise: two arms of one kind
 *
 * Otherwise as hp_probe_table(), on the first kind of @options->pages.
 */
int hp_probe_control(const struct hp_probe_options *options,
		     struct hp_probe_result **out);

/**
 * hp_probe_integrity - does the hardware see through the method?
 *
 * One sequence as raw pointers, masked, read-only, from many load sites and
 * newly permuted for each lap, on the first kind of @options->pages.
 */
int hp_probe_integrity(const struct hp_probe_options *options,
		       struct hp_probe_result **out);

/**
 * hp_probe_live - measure memory in use, without a write to it
 * @addr:    start; NULL: all memory libhp manages in this process
 * @len:     bytes
 * @options: seed, cpu and stop; NULL for defaults
 * @out:     receives the result
 *
 * Reads random lines of present pages, each address depending on the load
 * before in a way the content cannot influence, and compares with the same
 * places of a mapping of small pages (at most 64 MiB are touched). Nothing is
 * written, no page becomes present, and for the few milliseconds of each burst
 * libhp keeps the memory from being unmapped: so it takes only memory libhp
 * manages. A range unmapped meanwhile by other means than libhp or libc's
 * calls is a crash. Takes about 0.4 s. Thread-safe.
 *
 * Return: 0, also when @out->reason tells that little could be measured;
 * -EINVAL the range wraps; -EPERM it is not all memory that libhp manages.
 */
int hp_probe_live(const void *addr, size_t len,
		  const struct hp_probe_options *options,
		  struct hp_probe_live *out);

/* hp_probe_result_free - @result may be NULL */
void hp_probe_result_free(struct hp_probe_result *result);

#ifdef __cplusplus
}
#endif

#endif
