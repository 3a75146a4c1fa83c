/* SPDX-License-Identifier: MIT */
/*
 * command.h - hprun's command line
 *
 * What cannot be understood ends hprun with one line and HP_STATUS_OWN_ERROR.
 */
#ifndef HP_COMMAND_H
#define HP_COMMAND_H

#include <stdbool.h>

#include "preload/compare_option.h"
#include "preload/settings.h"
#include "preload/verdict.h"

struct hp_command {
	struct hp_settings settings;
	struct hp_demand demand; /* these and the inherited variables' */
	const char *library;	 /* as given, or NULL */
	bool dry_run;
	bool left_out; /* LIBHP_ONLY names others */
	struct hp_compare_option compare;
	char **argv; /* the program's */
};

/* hp_command_parse - also carries out --help and --version, which exit */
void hp_command_parse(struct hp_command *cmd, int argc, char **argv);

void hp_command_clear(struct hp_command *cmd);

#endif
