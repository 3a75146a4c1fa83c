/* SPDX-License-Identifier: MIT */
/*
 * granule.h - the effective translation granule of every kind of page
 *
 * Each kind is measured in two fresh buffers with different seeds; only what
 * both show is reported (probe/hp_granule.h). What is public of it is
 * hp_probe_granule().
 */
#ifndef HP_GRANULE_H
#define HP_GRANULE_H

#include "libhp/common.h"
#include "probe/hp_probe.h"

/**
 * hp_granule_bound - seconds hp_probe_granule() will take at most
 * @options: NULL for defaults; limit_s is not looked at
 *
 * Return: seconds; 0 if the options are not valid.
 */
double hp_granule_bound(const struct hp_probe_options *options);

/**
 * hp_granule_leaf - bytes of one page table leaf under a claimed page
 * @base:    bytes of the base page; tables have @base / 8 entries
 * @claimed: bytes of the page the kernel claims
 *
 * A size between two leaves is a row of smaller leaves with a hint, such as
 * 64K and 32M on arm64.
 *
 * Return: the largest leaf not above @claimed.
 */
size_t hp_granule_leaf(size_t base, size_t claimed);

#endif
