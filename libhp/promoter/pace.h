/* SPDX-License-Identifier: MIT */
/*
 * pace.h - no more than so many bytes a second
 */
#ifndef HP_PACE_H
#define HP_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct hp_pace {
	uint64_t rate;	/* bytes a second; 0: as fast as it goes */
	uint64_t start; /* nanoseconds, CLOCK_MONOTONIC */
	uint64_t done;	/* bytes since then */
};

void hp_pace_start(struct hp_pace *pace, uint64_t rate);

/* hp_pace_due - when the next bytes may be done; pure; see hp_pace.start */
uint64_t hp_pace_due(const struct hp_pace *pace);

/**
 * hp_pace_wait - sleep until then, and count @bytes as done
 *
 * Return: false when a signal came first; nothing was counted.
 */
bool hp_pace_wait(struct hp_pace *pace, uint64_t bytes);

uint64_t hp_pace_now(void);

#endif
