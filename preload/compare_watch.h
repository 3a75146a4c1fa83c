/* SPDX-License-Identifier: MIT */
/*
 * compare_watch.h - coverage of a process without libhp, seen from outside
 *
 * Looking holds up the process, so only a run that is not timed is watched,
 * and no more than a tenth of its time.
 */
#ifndef HP_COMPARE_WATCH_H
#define HP_COMPARE_WATCH_H

#include <stdint.h>
#include <sys/types.h>

/* all zero at first; the figures are those of the largest moment seen */
struct hp_watch {
	uint64_t present, huge; /* bytes; 0 present: nothing seen */
	uint64_t next_ns;	/* no look before */
};

/* hp_watch_look - smaps_rollup of @pid, if it is time; fits hp_launch.watch */
void hp_watch_look(pid_t pid, void *watch);

/* hp_watch_coverage - 0 .. 1; NAN nothing was seen */
double hp_watch_coverage(const struct hp_watch *watch);

#endif
