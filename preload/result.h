/* SPDX-License-Identifier: MIT */
/*
 * result.h - the file in which the preload tells hprun how it went
 *
 * LIBHP_RESULT="PID:/path" names it. The process image with that pid writes
 * {"schema":"libhp.report/1","loaded":true} when libhp starts and its whole
 * JSON report when it exits; a file that stays empty means that libhp never
 * ran.
 */
#ifndef HP_RESULT_H
#define HP_RESULT_H

#include <json-c/json.h>
#include <sys/types.h>

#include "libhp/options.h"

enum hp_result_state {
	HP_RESULT_EMPTY,   /* libhp never ran */
	HP_RESULT_STARTED, /* it ran, and left no report */
	HP_RESULT_REPORT,  /* the report is there */
};

struct hp_result {
	char path[HP_PATH_MAX];
};

/**
 * hp_result_create - a new private empty file, in $TMPDIR or where possible
 *
 * Return: 0; -errno of the last directory tried.
 */
int hp_result_create(struct hp_result *result);

/* hp_result_export - set LIBHP_RESULT for the calling process; 0 or -errno */
int hp_result_export(const struct hp_result *result, pid_t pid);

/**
 * hp_result_read - what was written
 * @report: receives the object for HP_RESULT_REPORT, else NULL; the caller
 * releases it with json_object_put()
 */
enum hp_result_state hp_result_read(const struct hp_result *result,
				    struct json_object **report);

void hp_result_remove(const struct hp_result *result);

#endif
