/* SPDX-License-Identifier: MIT */
#include "probe/settings.h"

#include <string.h>
#include <unistd.h>

#include "probe/buffer.h"
#include "probe/chain.h"
#include "probe/sample.h"

static const uint64_t default_seed = 20220228;

HP_EXPORT void hp_probe_options_init(struct hp_probe_options *options)
{
	*options = (struct hp_probe_options){
		.streams = 8,
		.cpu = -1,
		.seed = default_seed,
	};
}

bool hp_settings_wants(const char *list, const char *pattern)
{
	size_t len = strlen(pattern);

	while (*list) {
		size_t name = strcspn(list, ",");

		if (name == len && !strncmp(list, pattern, len))
			return true;
		list += name + (list[name] == ',');
	}
	return false;
}

static bool all_known(const char *list, const char *known)
{
	char name[24];

	if (!*list)
		return false;
	while (*list) {
		size_t len = strcspn(list, ",");

		if (!len || len >= sizeof(name))
			return false;
		memcpy(name, list, len);
		name[len] = '\0';
		if (!hp_settings_wants(known, name))
			return false;
		list += len + (list[len] == ',');
	}
	return true;
}

static bool in_range(const struct hp_probe_options *options)
{
	return options->streams >= 1 &&
	       options->streams <= HP_CHAIN_STREAMS_MAX &&
	       options->rounds >= 1 && options->rounds <= HP_ROUNDS_MAX &&
	       options->chunks >= 1 &&
	       options->chunks <= HP_SAMPLE_CHUNKS_MAX &&
	       options->stride % sizeof(uint64_t) == 0 &&
	       options->span >= (uint64_t)getpagesize();
}

int hp_settings_complete(struct hp_probe_options *out,
			 const struct hp_probe_options *in,
			 const struct hp_defaults *defaults)
{
	uint64_t room = hp_buffer_room();

	hp_probe_options_init(out);
	if (in)
		*out = *in;
	if (!out->span)
		out->span = hp_min(defaults->span,
				   hp_align_down(room / 4, 2 * HP_MIB));
	out->pattern = out->pattern ? out->pattern : defaults->patterns;
	out->rounds = out->rounds ? out->rounds : defaults->rounds;
	out->chunks = out->chunks ? out->chunks : defaults->chunks;
	out->streams = out->streams ? out->streams : 8;
	if (!all_known(out->pattern, defaults->patterns))
		return -ENOENT;
	if (!in_range(out))
		return -EINVAL;
	return out->span > room ? -ENOMEM : 0;
}

int hp_settings_kinds(struct hp_kinds *kinds,
		      const struct hp_probe_options *options)
{
	struct hp_pagesizes sizes;
	char bad[32];

	hp_pagesizes_read(&sizes);
	return hp_kinds_parse(kinds, options->pages, &sizes, bad);
}

static bool is_block(const struct hp_probe_options *options)
{
	return options->stride >= (uint64_t)getpagesize();
}

uint64_t hp_settings_dense(const struct hp_probe_options *options)
{
	return options->stride && !is_block(options) ? options->stride : 128;
}

uint64_t hp_settings_line(const struct hp_probe_machine *machine)
{
	const struct hp_probe_cache *first = hp_host_cache(machine, 1);

	return first && first->line ? first->line : 64;
}

uint64_t hp_settings_sparse(const struct hp_probe_options *options,
			    const struct hp_probe_machine *machine,
			    uint64_t span)
{
	const struct hp_probe_cache *second = hp_host_cache(machine, 2);
	uint64_t data = (second ? second->size : 256 * HP_KIB) / 4;
	uint64_t nodes = data / hp_settings_line(machine);
	uint64_t block = 16 * HP_KIB;

	if (is_block(options))
		return options->stride;
	while (span / block > nodes)
		block *= 2;
	return block;
}
