/* SPDX-License-Identifier: MIT */
/*
 * options_value.h - one option's value, as text and as a field; pure
 *
 * Private to options.c, options_parse.c (text -> field) and options_print.c
 * (field
 * -> text).
 */
#ifndef HP_OPTIONS_VALUE_H
#define HP_OPTIONS_VALUE_H

#include "libhp/options.h"

enum hp_option {
	HP_OPTION_MODE,
	HP_OPTION_PAGES,
	HP_OPTION_MMAP,
	HP_OPTION_START,
	HP_OPTION_BLOAT,
	HP_OPTION_REQUIRE,
	HP_OPTION_REPORT,
	HP_OPTION_PROBE,
	HP_OPTION_SITES,
	HP_OPTION_FORK,
	HP_OPTION_NUMA,
	HP_OPTION_ONLY,
	HP_OPTION_INHERIT,
	HP_OPTION_RESULT,
	HP_OPTIONS
};

/* Return: 0; -EINVAL, @opt unchanged */
int hp_option_parse(struct hp_options *opt, enum hp_option which,
		    const char *value);

/* Return: @buf, terminated, cut when @size is too small */
char *hp_option_print(const struct hp_options *opt, enum hp_option which,
		      char *buf, size_t size);

#endif
