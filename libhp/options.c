/* SPDX-License-Identifier: MIT */
#include "libhp/options.h"

#include <string.h>

#include "libhp/common.h"
#include "libhp/options_value.h"
#include "libhp/text.h"

const char *const hp_options_names[] = {
	[HP_OPTION_MODE] = "MODE",
	[HP_OPTION_PAGES] = "PAGES",
	[HP_OPTION_MMAP] = "MMAP",
	[HP_OPTION_START] = "START",
	[HP_OPTION_BLOAT] = "BLOAT",
	[HP_OPTION_REQUIRE] = "REQUIRE",
	[HP_OPTION_REPORT] = "REPORT",
	[HP_OPTION_PROBE] = "PROBE",
	[HP_OPTION_SITES] = "SITES",
	[HP_OPTION_FORK] = "FORK",
	[HP_OPTION_NUMA] = "NUMA",
	[HP_OPTION_ONLY] = "ONLY",
	[HP_OPTION_INHERIT] = "INHERIT",
	[HP_OPTION_RESULT] = "RESULT",
	[HP_OPTIONS] = NULL,
};

static const char *const accepts[HP_OPTIONS] = {
	[HP_OPTION_MODE] = "try, on or off",
	[HP_OPTION_PAGES] = "thp and page sizes like 2M, with commas",
	[HP_OPTION_MMAP] = "pack, align or off",
	[HP_OPTION_START] = "bytes, like 4M",
	[HP_OPTION_BLOAT] = "a percentage from 0 to 10000",
	[HP_OPTION_REQUIRE] = "a percentage from 0 to 100",
	[HP_OPTION_REPORT] = "[json:] and off, stderr, fd:N or a path",
	[HP_OPTION_PROBE] = "off, or exit, signal:USR2, every:30s, with commas",
	[HP_OPTION_SITES] = "0, 1, FILE.heap or FILE.folded",
	[HP_OPTION_FORK] = "auto, share or demote",
	[HP_OPTION_NUMA] = "local, interleave or bind:N[,N]",
	[HP_OPTION_ONLY] = "program names, with colons",
	[HP_OPTION_INHERIT] = "0 or 1",
	[HP_OPTION_RESULT] = "pid:/path",
};

void hp_options_default(struct hp_options *out)
{
	*out = (struct hp_options){
		.nrungs = 1,
		.rungs = {HP_RUNG_THP},
		.start = 4 * HP_MIB,
		.bloat = 25,
		.require = -1,
		.inherit = true,
	};
}

static int find(const char *name)
{
	const char *bare = hp_text_after(name, "LIBHP_");

	if (!bare)
		bare = name;
	for (int i = 0; i < HP_OPTIONS; i++)
		if (strcmp(bare, hp_options_names[i]) == 0)
			return i;
	return -ENOENT;
}

int hp_options_set(struct hp_options *opt, const char *name, const char *value)
{
	int i = find(name);

	return i < 0 ? i : hp_option_parse(opt, (enum hp_option)i, value);
}

const char *hp_options_accepts(const char *name)
{
	int i = find(name);

	return i < 0 ? NULL : accepts[i];
}

char *hp_options_text(const struct hp_options *opt, const char *name, char *buf,
		      size_t size)
{
	int i = find(name);

	if (i < 0)
		return NULL;
	return hp_option_print(opt, (enum hp_option)i, buf, size);
}

bool hp_options_admits(const struct hp_options *opt, const char *exe)
{
	const char *name = opt->only;

	while (*name) {
		const char *rest = hp_text_after(name, exe);

		if (rest && (*rest == ':' || *rest == '\0'))
			return true;
		name += strcspn(name, ":");
		name += *name == ':';
	}
	return opt->only[0] == '\0';
}
