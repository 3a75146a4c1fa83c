/* SPDX-License-Identifier: MIT */
/*
 * pin.h - keep the measuring thread on one cpu
 */
#ifndef HP_PIN_H
#define HP_PIN_H

#include <sched.h>

struct hp_pin {
	int cpu; /* pinned to, or -1 */
	cpu_set_t before;
	int saved; /* @before is worth restoring */
};

/**
 * hp_pin_open - pin the calling thread
 * @pin: receives what is needed to undo it
 * @cpu: which; -1 takes the fastest the thread may use, by the kernel's
 *       cpu_capacity or cpuinfo_max_freq, of equals the one it runs on
 *
 * Return: 0; -errno when the kernel refused: the thread then runs unpinned and
 * migrations show in the dropped chunks.
 */
int hp_pin_open(struct hp_pin *pin, int cpu);

/* hp_pin_close - allow the cpus the thread had before */
void hp_pin_close(struct hp_pin *pin);

#endif
