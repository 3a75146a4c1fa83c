/* SPDX-License-Identifier: MIT */
/*
 * compare_warm.h - memory that the machine really has, before a timed run
 *
 * Guests that report free pages lose them to their host within seconds, and
 * the next first touch then takes ten times as long; a comparison without this
 * compares the host's faults. Where the host takes nothing it costs little.
 */
#ifndef HP_COMPARE_WARM_H
#define HP_COMPARE_WARM_H

#include <stdint.h>

/**
 * hp_warm - touch memory twice through huge pages, in a child that ends
 * @peak: bytes the run is expected to use; some more are touched
 *
 * Never more than nine tenths of what is available, and the child offers
 * itself to the OOM killer. Call it after hp_relay_hold().
 *
 * Return: bytes touched; 0 when that failed.
 */
uint64_t hp_warm(uint64_t peak);

#endif
