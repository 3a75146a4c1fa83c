/* SPDX-License-Identifier: MIT */
/*
 * tree.h - a tree under tests/fixtures in the place of /proc and /sys
 */
#ifndef TESTS_TREE_H
#define TESTS_TREE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "libhp/textfile.h"

static inline void use_fixture(const char *tree)
{
	static char root[4096];
	const char *srcdir = getenv("srcdir");
	int n = snprintf(root, sizeof(root), "%s/tests/fixtures/%s",
			 srcdir ? srcdir : ".", tree);

	ck_assert_int_lt(n, (int)sizeof(root));
	hp_textfile_root(root);
}

static inline void use_machine(void)
{
	hp_textfile_root("");
}

#endif
