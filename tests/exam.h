/* SPDX-License-Identifier: MIT */
/*
 * exam.h - an examination of a made-up machine, and what it should find
 */
#ifndef TESTS_EXAM_H
#define TESTS_EXAM_H

#include <check.h>
#include <string.h>

#include "libhp/doctor/exam.h"
#include "tests/fixture.h"
#include "tests/tree.h"

static struct hp_exam x;

static inline void read_machine(void)
{
	hp_findings_clear(&x.found);
	memset(&x, 0, sizeof(x));
	hp_options_default(&x.options);
	hp_pagesizes_read_as(&x.ps, 4096);
	x.ps.prctl = 0;
}

static inline void use(const char *tree)
{
	use_fixture(tree);
	read_machine();
}

static inline const struct hp_finding *found(const char *id)
{
	const struct hp_finding *f = hp_findings_find(&x.found, id);

	ck_assert_msg(f != NULL, "no finding %s", id);
	return f;
}

static inline void expect(const char *id, enum hp_state state, const char *part)
{
	const struct hp_finding *f = found(id);

	ck_assert_msg(f->state == state, "%s is %s: %s", id,
		      hp_state_text(f->state), f->value);
	ck_assert_msg(strstr(f->value, part) || strstr(f->means, part),
		      "%s: want '%s', got '%s', '%s'", id, part, f->value,
		      f->means);
}

static inline void expect_fix(const char *id, const char *command)
{
	ck_assert_str_eq(found(id)->fix, command);
}

#endif
