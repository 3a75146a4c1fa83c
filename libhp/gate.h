/* SPDX-License-Identifier: MIT */
/*
 * gate.h - mappings stand still while somebody measures them
 *
 * Whoever is about to unmap, remap, protect or empty memory that libhp manages
 * passes through the gate. It is open but for the few milliseconds of a live
 * probe, which shuts it, waits until nobody is inside, and reads memory that
 * then cannot go away. Passing costs two atomic additions.
 *
 * Who has shut the gate must not pass it: no allocation, no signals until it
 * is open again. A thread may pass it in a signal handler that interrupted its
 * own passing: the probe gives up waiting after a while.
 */
#ifndef HP_GATE_H
#define HP_GATE_H

#include "libhp/common.h"

/* around every change of managed mappings; may be nested */
void hp_gate_enter(void);
void hp_gate_leave(void);

/**
 * hp_gate_shut - let nobody in, wait until all are out
 * @stamp: receives a number that is another one after every change
 *
 * Return: false when somebody stayed inside for more than 20 ms, or another
 * thread has shut it; it is open then.
 */
HP_MUST_CHECK bool hp_gate_shut(uint64_t *stamp);
void hp_gate_open(void);

/* hp_gate_forked - in the child: whoever was inside or had shut it is gone */
void hp_gate_forked(void);

#endif
