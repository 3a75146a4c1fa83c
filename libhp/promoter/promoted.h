/* SPDX-License-Identifier: MIT */
/*
 * promoted.h - what was promoted, for people and machines
 */
#ifndef HP_PROMOTED_H
#define HP_PROMOTED_H

#include <json-c/json.h>
#include <stdio.h>

#include "libhp/promoter/job.h"

/* @each: every slot that failed in a line of its own */
void hp_promoted_text(FILE *out, const struct hp_job *job,
		      const struct hp_wish *wish, bool each);

/* one member of "processes" of schema "libhp.promote/1" */
struct json_object *hp_promoted_json(const struct hp_job *job,
				     const struct hp_wish *wish);

/* a line on a terminal, written over itself; hp_promoted_clear() it */
void hp_promoted_progress(FILE *out, const struct hp_job *job);
void hp_promoted_clear(FILE *out);

#endif
