/* SPDX-License-Identifier: MIT */
/*
 * watch.h - what happened to this thread while it was measuring
 *
 * A reading taken before and after a chunk of work tells whether the thread
 * changed cpu, was preempted, took page faults, lost time to the hypervisor
 * or ran at another clock speed. Such chunks are dropped, never averaged.
 * No libc allocation, no stdio.
 */
#ifndef HP_WATCH_H
#define HP_WATCH_H

#include <stdint.h>

#include "probe/hp_probe.h"

/* verdict on a chunk that counts; any other is why it does not */
#define HP_WATCH_KEPT HP_PROBE_DROPS

struct hp_watch {
	int stat_fd;	  /* /proc/stat; -1: steal is not known */
	int schedstat_fd; /* this thread's; -1: run delay is not known */
};

struct hp_moment {
	unsigned int cpu;
	long involuntary;  /* context switches */
	long faults;	   /* minor and major */
	uint64_t delay_ns; /* waited while runnable */
	uint64_t steal;	   /* ticks stolen from this cpu */
	double cycle_ns;   /* core clock */
};

/**
 * hp_watch_open - start watching the calling thread
 * @watch: receives the descriptors; sources that cannot be had are left out
 */
void hp_watch_open(struct hp_watch *watch);

/**
 * hp_watch_close - give the descriptors back
 * @watch: an opened watch
 */
void hp_watch_close(struct hp_watch *watch);

/**
 * hp_watch_before - take the reading that precedes a chunk
 * @watch:  an opened watch of this thread
 * @moment: receives it; the cheap counters are read last
 */
void hp_watch_before(const struct hp_watch *watch, struct hp_moment *moment);

/**
 * hp_watch_after - take the reading that follows a chunk
 * @watch:  as for hp_watch_before()
 * @moment: receives it; the cheap counters are read first
 */
void hp_watch_after(const struct hp_watch *watch, struct hp_moment *moment);

/**
 * hp_watch_verdict - may the chunk between two readings be kept?
 * @before: reading before it
 * @after:  reading after it
 *
 * Pure. Compares the two clocks with each other only; the tier is judged when
 * all chunks are known (probe/sample.h).
 *
 * Return: the first cause found, in the order of enum hp_probe_drop, or
 * HP_WATCH_KEPT.
 */
enum hp_probe_drop hp_watch_verdict(const struct hp_moment *before,
				    const struct hp_moment *after);

/**
 * hp_watch_steal - ticks stolen from one cpu
 * @stat: text of /proc/stat, NUL-terminated
 * @cpu:  which cpu
 *
 * Return: the eighth figure of its line, 0 when there is none.
 */
uint64_t hp_watch_steal(const char *stat, unsigned int cpu);

#endif
