/* SPDX-License-Identifier: MIT */
/*
 * mapping.h - the mappings a range of this process consists of
 */
#ifndef HP_MAPPING_H
#define HP_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

struct hp_mapping {
	uint64_t start, end;
	bool hugetlb;
};

/**
 * hp_mapping_visit - call @fn for every mapping that meets the range, ascending
 *
 * PROCMAP_QUERY (Linux 6.11), else smaps. Mappings are handed over whole, not
 * cut to the range. Return: 0; what opening or reading these files said.
 */
int hp_mapping_visit(uint64_t start, uint64_t end,
		     void (*fn)(const struct hp_mapping *mapping, void *arg),
		     void *arg);

#endif
