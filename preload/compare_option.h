/* SPDX-License-Identifier: MIT */
/*
 * compare_option.h - what the command line says of a comparison
 *
 * As command.h, what cannot be understood ends hprun with one line.
 */
#ifndef HP_COMPARE_OPTION_H
#define HP_COMPARE_OPTION_H

#include <stdbool.h>

#include "preload/compare_arms.h"

struct hp_compare_option {
	unsigned int rounds; /* 0: no comparison */
	bool json;
	const char *json_file; /* NULL: standard output */
	const char *plot;      /* file, or NULL */
	bool ignore_output;
	struct hp_alternatives pages, mmap;
	const char *listed; /* option that was given several at once, or NULL */
};

/* hp_compare_rounds - the number of rounds @text says; NULL: the usual */
unsigned int hp_compare_rounds(const char *text);

void hp_compare_take_json(struct hp_compare_option *option, const char *file);
void hp_compare_take_plot(struct hp_compare_option *option, const char *file);

/* hp_compare_check - do the options of a command line go together? */
void hp_compare_check(const struct hp_compare_option *option,
		      const struct hp_settings *settings, bool dry_run);

#endif
