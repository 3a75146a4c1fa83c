/* SPDX-License-Identifier: MIT */
/*
 * mappings.h - all mappings of the process as smaps had them, for look-up
 *
 * For kernels that cannot be asked about one address; a snapshot. The list is
 * mapped memory of its own, as nothing here may allocate.
 */
#ifndef HP_MAPPINGS_H
#define HP_MAPPINGS_H

#include <stddef.h>

#include "libhp/pagemap.h"

struct hp_mappings {
	struct hp_pagemap *list; /* ascending */
	size_t n, room;
};

/* hp_mappings_read - 0; -ENOMEM; what reading smaps said: @m is empty then */
int hp_mappings_read(struct hp_mappings *m);
void hp_mappings_forget(struct hp_mappings *m);

/* hp_mappings_at - the one that covers @addr, else the next above it, else NULL */
struct hp_pagemap *hp_mappings_at(const struct hp_mappings *m, uint64_t addr);

#endif
