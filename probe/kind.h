/* SPDX-License-Identifier: MIT */
/*
 * kind.h - kinds of page a probe can ask for, and their names
 *
 * "4k" (the base page, whatever its size: "16k", "64k" elsewhere), "thp",
 * hugetlb sizes in capitals as in "2M", "1G", "64K", and multi-size THP as in
 * "mthp:64K".
 */
#ifndef HP_KIND_H
#define HP_KIND_H

#include <stddef.h>

#include "libhp/common.h"
#include "libhp/pagesize.h"

enum hp_family { HP_KIND_BASE, HP_KIND_THP, HP_KIND_HUGETLB, HP_KIND_MTHP };

enum { HP_KINDS_MAX = 16, HP_KIND_BAD_NAME = 32 };

struct hp_kind {
	enum hp_family family;
	size_t size; /* of one page */
	char name[16];
};

struct hp_kinds {
	size_t n;
	struct hp_kind kind[HP_KINDS_MAX];
};

/**
 * hp_kinds_parse - a comma list of names -> kinds
 * @kinds: receives them, in the order given
 * @list:  e.g. "4k,thp,1G"; NULL for all this machine has
 * @sizes: what the machine has
 * @bad:   receives the first name not understood, or "";
 *         HP_KIND_BAD_NAME bytes
 *
 * A hugetlb size the kernel supports is a kind even if its pool is empty. Of
 * multi-size THP, NULL takes only those the kernel offers at the moment.
 *
 * Return: 0; -EINVAL a name is unknown, given twice, or there are too many.
 */
int hp_kinds_parse(struct hp_kinds *kinds, const char *list,
		   const struct hp_pagesizes *sizes, char *bad) HP_MUST_CHECK;

#endif
