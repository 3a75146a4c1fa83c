/* SPDX-License-Identifier: MIT */
/*
 * sites_form.h - call stacks for people and for programs
 *
 * All of these speak of what hp_sites_collect() found last.
 */
#ifndef HP_SITES_FORM_H
#define HP_SITES_FORM_H

#include "libhp/json.h"
#include "libhp/out.h"

/* hp_sites_put_text - a table of the few stacks that hold most */
void hp_sites_put_text(struct hp_out *out);

/* hp_sites_put_json - the array of the report's key "sites" */
void hp_sites_put_json(struct hp_json *json);

/* one line a stack, outermost function first: what flamegraph.pl reads */
void hp_sites_put_folded(struct hp_out *out);

/* the legacy heap profile of pprof and jeprof, addresses and mappings */
void hp_sites_put_heap(struct hp_out *out);

/**
 * hp_sites_export - one of the two to a file, by its ending
 * @path: ends with ".folded" or ".heap"
 *
 * Return: 0; -errno of open(2) or write(2).
 */
int hp_sites_export(const char *path);

#endif
