/* SPDX-License-Identifier: MIT */
/*
 * outcome.h - what the process reached: report, result, requirement
 *
 * A program often frees everything before it exits, so the figures at exit say
 * little. If anybody will want figures, they are also taken when memory in use
 * begins to fall from a new height; the fuller of the two moments is reported.
 * All of it happens on a stack of its own: libhp/altstack.h.
 */
#ifndef HP_OUTCOME_H
#define HP_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include "libhp/init.h"

/* hp_outcome_init - remembers the descriptors; marks the result "loaded" */
void hp_outcome_init(const struct hp_context *context);

/* hp_outcome_wanted - will anybody read the figures? */
bool hp_outcome_wanted(void);

/* hp_outcome_used - bytes of heap and mappings in use; needs no lock */
uint64_t hp_outcome_used(void);

/* hp_outcome_falling - @bytes are about to be given back by the program */
void hp_outcome_falling(size_t bytes);

/* hp_outcome_sample - take the figures now; kept if they are the fullest */
void hp_outcome_sample(void);

/* hp_outcome_report - once, and only in the process the image began in */
void hp_outcome_report(void);

/* hp_outcome_exit - hp_probing_exit(), then the report */
void hp_outcome_exit(void);

/* hp_outcome_exit_thread - the report, where the process ends with its thread */
void hp_outcome_exit_thread(void);

/* hp_outcome_forked - this is a child: it has nothing to report */
void hp_outcome_forked(void);

/* hp_outcome_vforks - a child that shares this memory is about to be made */
void hp_outcome_vforks(void);

/* hp_outcome_keep - a sandbox is near: take the figures now, ask no more */
void hp_outcome_keep(void);

#endif
