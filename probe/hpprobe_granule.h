/* SPDX-License-Identifier: MIT */
/*
 * hpprobe_granule.h - the granule command and its writers
 */
#ifndef HP_HPPROBE_GRANULE_H
#define HP_HPPROBE_GRANULE_H

#include "probe/hpprobe.h"

/**
 * hp_cli_granule - run "hpprobe granule"
 * @cli: parsed arguments
 *
 * Return: exit status: HP_EXIT_OK at least one kind of page was measured,
 * whatever the diagnosis; HP_EXIT_USAGE none could be; HP_EXIT_IMPOSSIBLE.
 */
int hp_cli_granule(const struct hp_cli *cli);

/* as probe/granule.schema.json describes it */
void hp_write_granule_json(FILE *out, const struct hp_granule_study *study);

/* one line per level of each kind, or per kind without a level */
void hp_write_granule_csv(FILE *out, const struct hp_granule_study *study);

#endif
