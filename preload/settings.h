/* SPDX-License-Identifier: MIT */
/*
 * settings.h - what the command line asks of libhp: options -> LIBHP_* text
 */
#ifndef HP_SETTINGS_H
#define HP_SETTINGS_H

#include <stdbool.h>

#include "libhp/options.h"

#define HP_SETTINGS_MAX 16

struct hp_setting {
	const char *name; /* "LIBHP_MODE"; not owned */
	char *value;
};

struct hp_settings {
	struct hp_options options; /* in force: inherited variables and these */
	unsigned int n;
	struct hp_setting set[HP_SETTINGS_MAX];
};

/* nothing asked yet: defaults and the LIBHP_* variables hprun was given */
void hp_settings_init(struct hp_settings *s);

/**
 * hp_settings_set - ask for one value; a later one replaces it
 * @name: variable, a string that stays
 *
 * Return: 0; -EINVAL not a value @name accepts; -ENOMEM.
 */
int hp_settings_set(struct hp_settings *s, const char *name, const char *value);

/**
 * hp_settings_report - LIBHP_REPORT text for the argument of --report
 * @arg: NULL, "json", "FILE", ":FILE", "json:FILE", "fd:N", "stderr", "off"
 *
 * A relative file is made absolute, since the program may change directory
 * before it is written.
 *
 * Return: a string the caller frees; NULL no memory or no current directory.
 */
char *hp_settings_report(const char *arg);

/* put them into the calling process's environment; 0 or -ENOMEM */
int hp_settings_export(const struct hp_settings *s);

void hp_settings_clear(struct hp_settings *s);

#endif
