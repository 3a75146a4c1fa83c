/* SPDX-License-Identifier: MIT */
/*
 * The first byte picks the option, the rest is its value. What is refused must
 * change nothing; what is accepted must print as something that is accepted and
 * means the same.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/options.h"

#define NAMES 14

static void must(int holds)
{
	if (!holds)
		abort();
}

static void check_accepted(const struct hp_options *opt, const char *name)
{
	char text[8192], again[8192];
	struct hp_options other;

	hp_options_default(&other);
	hp_options_text(opt, name, text, sizeof(text));
	must(hp_options_set(&other, name, text) == 0);
	hp_options_text(&other, name, again, sizeof(again));
	must(strcmp(text, again) == 0);
	must(opt->nrungs <= HP_LADDER_MAX);
	hp_options_admits(opt, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hp_options opt, before;
	const char *name;
	char *value;

	if (size == 0)
		return 0;
	name = hp_options_names[data[0] % NAMES];
	value = malloc(size);
	memcpy(value, data + 1, size - 1);
	value[size - 1] = '\0';
	hp_options_default(&opt);
	before = opt;
	if (hp_options_set(&opt, name, value) == 0)
		check_accepted(&opt, name);
	else
		must(memcmp(&before, &opt, sizeof(opt)) == 0);
	free(value);
	return 0;
}
