/* SPDX-License-Identifier: MIT */
/*
 * options.h - the options under test, and what one of them accepts
 */
#ifndef TESTS_OPTIONS_H
#define TESTS_OPTIONS_H

#include <check.h>
#include <errno.h>
#include <string.h>

#include "libhp/options.h"

static struct hp_options opt;

static inline void set_defaults(void)
{
	hp_options_default(&opt);
}

static inline int set(const char *name, const char *value)
{
	return hp_options_set(&opt, name, value);
}

/* a value that is refused leaves every byte as it was */
static inline void refuses(const char *name, const char *value)
{
	struct hp_options before = opt;

	ck_assert_msg(set(name, value) == -EINVAL, "%s=%.40s", name, value);
	ck_assert_msg(!memcmp(&before, &opt, sizeof(opt)), "%s=%.40s changed",
		      name, value);
}

static inline void accepts(const char *name, const char *value)
{
	ck_assert_msg(set(name, value) == 0, "%s=%.40s", name, value);
}

static inline const char *text(const char *name)
{
	static char buf[2048];

	return hp_options_text(&opt, name, buf, sizeof(buf));
}

#endif
