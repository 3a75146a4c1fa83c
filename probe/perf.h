/* SPDX-License-Identifier: MIT */
/*
 * perf.h - the processor's own count of TLB misses, where it may be read
 *
 * Optional evidence: what cannot be had is NAN with the reason in words, never
 * 0. Counts this thread in user mode only, which perf_event_paranoid 2 allows.
 */
#ifndef HP_PERF_H
#define HP_PERF_H

#include <stddef.h>
#include <stdint.h>

#include "probe/hp_probe.h"

enum { HP_PERF_EVENTS = 2 };

struct hp_perf_count {
	uint64_t value, enabled_ns, running_ns;
};

struct hp_perf {
	int fd[HP_PERF_EVENTS]; /* dTLB load misses, walks; < 0 absent */
	struct hp_perf_count start[HP_PERF_EVENTS];
};

/**
 * hp_perf_open - open what there is for the calling thread
 * @perf: receives the counters, running
 * @why:  receives the errno text if no misses can be counted, else ""
 * @size: of @why
 */
void hp_perf_open(struct hp_perf *perf, char *why, size_t size);
void hp_perf_close(struct hp_perf *perf);

/* hp_perf_start - count from here */
void hp_perf_start(struct hp_perf *perf);

/**
 * hp_perf_stop - what was counted since hp_perf_start()
 * @perf:  started counters
 * @loads: made meanwhile
 * @out:   receives events per load; NAN for those absent, or that never ran
 */
void hp_perf_stop(const struct hp_perf *perf, double loads,
		  struct hp_probe_counters *out);

#endif
