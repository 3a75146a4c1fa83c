/* SPDX-License-Identifier: MIT */
/*
 * machine.h - what pagesize found on this machine, read once and kept
 */
#ifndef HP_MACHINE_H
#define HP_MACHINE_H

#include "libhp/pagesize.h"

/**
 * hp_machine - page kinds and modes as they were at the first call
 *
 * Who must not open files later (a seccomp sandbox) calls it early. Pool counts
 * in it are of that moment: hp_pool_read() a copy. Thread-safe.
 */
const struct hp_pagesizes *hp_machine(void);

#endif
