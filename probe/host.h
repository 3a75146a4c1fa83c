/* SPDX-License-Identifier: MIT */
/*
 * host.h - what a result must say about where it was measured
 */
#ifndef HP_HOST_H
#define HP_HOST_H

#include "probe/hp_probe.h"

/**
 * hp_host_read - model, caches, kernel, governor, hypervisor, page sizes
 * @machine: receives them; what cannot be read stays empty, 0 or -1
 * @cpu:     whose caches and governor; -1 takes cpu 0
 */
void hp_host_read(struct hp_probe_machine *machine, int cpu);

/**
 * hp_host_cache - the data or unified cache of @level
 *
 * Return: the cache, NULL when the machine does not say.
 */
const struct hp_probe_cache *
hp_host_cache(const struct hp_probe_machine *machine, unsigned int level);

#endif
