/* SPDX-License-Identifier: MIT */
/*
 * hugetlb.h - the program's own calls on blocks that lie on hugetlb pages
 *
 * The kernel takes such pages as a whole or refuses, and some calls answer 0
 * and do nothing. The program knows nothing of them and means small ones.
 */
#ifndef HP_HUGETLB_H
#define HP_HUGETLB_H

#include <stdbool.h>
#include <stddef.h>

/* hp_hugetlb_cut - ordinary pages at both ends of the range, if they are cut
 * by it and can make way (demote.h) */
void hp_hugetlb_cut(const void *addr, size_t len);

/**
 * hp_hugetlb_yields - may a call that returned @ret be made again?
 *
 * If the kernel refused it for hugetlb pages, and these have made way.
 */
bool hp_hugetlb_yields(long ret, const void *addr, size_t len);

/**
 * hp_hugetlb_leaves - nothing of the range is on part of a hugetlb page
 *
 * For calls that would take in the rest of the page, too.
 */
bool hp_hugetlb_leaves(const void *addr, size_t len);

typedef long (*hp_hugetlb_advise_fn)(void *addr, size_t len, int advice);

/**
 * hp_hugetlb_advise - an madvise that hugetlb pages do not take as meant
 * @small: called for those parts of the range that lie on other pages
 * @ret: receives what it comes to
 *
 * Return: false if nothing was done, and @small is to be asked for all of it.
 */
bool hp_hugetlb_advise(const void *addr, size_t len, int advice,
		       hp_hugetlb_advise_fn small, long *ret);

#endif
