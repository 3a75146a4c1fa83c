/* SPDX-License-Identifier: MIT */
/*
 * reservation.h - mappings the program makes usable part by part
 *
 * Large mappings without any right, and those it takes the rights of away
 * again. To the kernel what is in use and what is not shall differ in nothing
 * but that, so that it joins as many mappings as it does without libhp. A
 * reservation of which nothing was ever used is left alone.
 *
 * Call these after the kernel did it. Ranges are whole pages.
 */
#ifndef HP_RESERVATION_H
#define HP_RESERVATION_H

#include "libhp/common.h"

/* by mprotect: usable from now on, or not any more; false: it is none */
bool hp_reservation_commit(uintptr_t start, uintptr_t end);
bool hp_reservation_decommit(uintptr_t start, uintptr_t end);

/* mapped over a part of one (hp_record_covers()): usable, or not */
void hp_reservation_renewed(uintptr_t start, uintptr_t end);
void hp_reservation_reserved(uintptr_t start, uintptr_t end);

#endif
