/* SPDX-License-Identifier: MIT */
/*
 * settings.h - options completed and checked
 */
#ifndef HP_PROBE_SETTINGS_H
#define HP_PROBE_SETTINGS_H

#include "probe/hp_probe.h"
#include "probe/kind.h"
#include "probe/host.h"

enum { HP_ROUNDS_MAX = 256 };

/**
 * struct hp_defaults - what a command does when not told otherwise
 */
struct hp_defaults {
	uint64_t span;	      /* at most a quarter of free memory is used */
	const char *patterns; /* all it has, comma separated */
	unsigned int rounds, chunks;
};

/**
 * hp_settings_complete - fill in defaults, refuse what cannot be
 * @out:      receives complete options
 * @in:       what the caller gave; NULL for all defaults
 * @defaults: of the command
 *
 * Return: 0; -EINVAL streams, rounds, chunks or stride out of range, span
 * below one page; -ENOENT pattern not one of the defaults; -ENOMEM span above
 * the memory there is.
 */
int hp_settings_complete(struct hp_probe_options *out,
			 const struct hp_probe_options *in,
			 const struct hp_defaults *defaults) HP_MUST_CHECK;

/* hp_settings_wants - is @pattern in the comma list @list? */
bool hp_settings_wants(const char *list, const char *pattern);

/**
 * hp_settings_kinds - options.pages -> kinds of this machine
 *
 * Return: 0; -EINVAL a name is not known here.
 */
int hp_settings_kinds(struct hp_kinds *kinds,
		      const struct hp_probe_options *options) HP_MUST_CHECK;

/**
 * hp_settings_dense - bytes between dense nodes
 *
 * options.stride below one page, else 128: pairs of 64-byte lines are fetched
 * together on x86-64, and 128 bytes is one line on some Arm cores.
 */
uint64_t hp_settings_dense(const struct hp_probe_options *options);

/**
 * hp_settings_sparse - bytes per block of the sparse chain
 *
 * options.stride of one page or more; else 16 KiB, or as much more as keeps
 * the data of @span within a quarter of the private second-level cache.
 */
uint64_t hp_settings_sparse(const struct hp_probe_options *options,
			    const struct hp_probe_machine *machine,
			    uint64_t span);

/* the cache line of @machine, 64 where it does not say */
uint64_t hp_settings_line(const struct hp_probe_machine *machine);

#endif
