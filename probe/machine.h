/* SPDX-License-Identifier: MIT */
/*
 * machine.h - what a result must say about where it was measured
 */
#ifndef HP_MACHINE_H
#define HP_MACHINE_H

#include "probe/hp_probe.h"

/**
 * hp_machine_read - model, caches, kernel, governor, hypervisor, page sizes
 * @machine: receives them; what cannot be read stays empty, 0 or -1
 * @cpu:     whose caches and governor; -1 takes cpu 0
 */
void hp_machine_read(struct hp_probe_machine *machine, int cpu);

/**
 * hp_machine_cache - the data or unified cache of @level
 *
 * Return: the cache, NULL when the machine does not say.
 */
const struct hp_probe_cache *
hp_machine_cache(const struct hp_probe_machine *machine, unsigned int level);

#endif
