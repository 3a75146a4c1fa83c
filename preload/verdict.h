/* SPDX-License-Identifier: MIT */
/*
 * verdict.h - from how the program ended and what libhp reported to a status
 */
#ifndef HP_VERDICT_H
#define HP_VERDICT_H

#include <stdbool.h>

#include "preload/launch.h"
#include "preload/result.h"

enum hp_status {
	HP_STATUS_NOT_LOADED = 122,
	HP_STATUS_UNMET = 123,
	HP_STATUS_OWN_ERROR = 125,
	HP_STATUS_NOT_EXECUTABLE = 126,
	HP_STATUS_NOT_FOUND = 127,
	HP_STATUS_SIGNAL = 128, /* plus its number */
};

/* what the user wants to be sure of; all zero: nothing */
struct hp_demand {
	bool report;
	bool on;     /* mode on */
	int require; /* percent; -1 none */
};

bool hp_demand_any(const struct hp_demand *demand);

/**
 * hp_verdict_status - hprun's exit status; prints one line when it is its own
 * @program: name as the user gave it
 * @demand:  with @result, not looked at where the program could not be executed
 *
 * A program ended by a signal had no chance to report: its 128+n stands.
 */
int hp_verdict_status(const char *program, const struct hp_demand *demand,
		      const struct hp_ending *ending,
		      const struct hp_result *result);

/**
 * hp_verdict_unloaded - say why libhp left no report of @program
 *
 * Return: HP_STATUS_NOT_LOADED; HP_STATUS_OWN_ERROR where nothing kept it out but
 * files may hardly grow (RLIMIT_FSIZE).
 */
int hp_verdict_unloaded(const char *program, enum hp_result_state state);

#endif
