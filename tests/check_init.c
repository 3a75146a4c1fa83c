/* SPDX-License-Identifier: MIT */
/*
 * check_init.c - what a process was told, and the one line about a bad value
 */
#include "tests/memory.h"

#include "libhp/init.h"

static char said[2048];

/* hp_init() with these variables; what it wrote to stderr is in @said */
static const struct hp_context *init(const char *const *env, const char *exe)
{
	int fds[2], saved = dup(STDERR_FILENO);
	const struct hp_context *context;
	ssize_t n;

	ck_assert_int_eq(pipe2(fds, O_NONBLOCK), 0);
	dup2(fds[1], STDERR_FILENO);
	context = hp_init((char *const *)(uintptr_t)env, exe);
	dup2(saved, STDERR_FILENO);
	n = read(fds[0], said, sizeof(said) - 1);
	said[n > 0 ? n : 0] = '\0';
	return context;
}

static size_t lines(void)
{
	size_t n = 0;

	for (const char *p = said; (p = strchr(p, '\n')); p++)
		n++;
	return n;
}

START_TEST(reads_its_variables_and_says_nothing)
{
	const char *env[] = { "PATH=/bin", "LIBHP_MODE=off", "LIBHP_START=1M",
			"XLIBHP_MODE=on", NULL };
	const struct hp_context *c = init(env, "/usr/bin/prog");

	ck_assert_str_eq(said, "");
	ck_assert_int_eq(c->options.mode, HP_MODE_OFF);
	ck_assert_uint_eq(c->options.start, HP_MIB);
	ck_assert_str_eq(c->exe, "prog");
	ck_assert_int_eq(c->pid, getpid());
	ck_assert(!c->passive);
	ck_assert_uint_eq(c->pagesizes.base, hp_linux_page_size());
}
END_TEST

START_TEST(no_environment_means_defaults)
{
	const struct hp_context *c = init(NULL, NULL);
	struct hp_options defaults;

	hp_options_default(&defaults);
	ck_assert_str_eq(said, "");
	ck_assert_int_eq(c->options.mode, defaults.mode);
	ck_assert_uint_eq(c->options.bloat, defaults.bloat);
	ck_assert_str_eq(c->exe, "");
}
END_TEST

START_TEST(each_bad_value_costs_one_line_and_changes_nothing)
{
	const char *env[] = { "LIBHP_MODE=perhaps", "LIBHP_BLOAT=", "LIBHP_MOOD=x",
			"LIBHP_START=\033[31m1", NULL };
	const struct hp_context *c = init(env, "prog");

	ck_assert_uint_eq(lines(), 4);
	ck_assert_ptr_nonnull(strstr(said, "LIBHP_MODE=\"perhaps\""));
	ck_assert_ptr_nonnull(strstr(said, "using try"));
	ck_assert_ptr_nonnull(strstr(said, "LIBHP_MOOD is not a variable"));
	ck_assert_ptr_null(strchr(said, '\033'));
	ck_assert_int_eq(c->options.mode, HP_MODE_TRY);
	ck_assert_uint_eq(c->options.bloat, 25);
}
END_TEST

START_TEST(a_long_value_is_cut)
{
	static char variable[100000] = "LIBHP_PAGES=";
	const char *env[] = { variable, NULL };

	memset(variable + 12, 'x', sizeof(variable) - 13);
	init(env, "prog");
	ck_assert_uint_eq(lines(), 1);
	ck_assert_uint_lt(strlen(said), 300);
	ck_assert_ptr_nonnull(strstr(said, "xxx...\""));
}
END_TEST

START_TEST(other_programs_than_those_named_are_passed_by)
{
	const char *env[] = { "LIBHP_ONLY=redis-server:python3", NULL };

	ck_assert(init(env, "/bin/sh")->passive);
}
END_TEST

START_TEST(the_first_call_decides)
{
	const char *env[] = { "LIBHP_MODE=on", NULL };
	const char *later[] = { "LIBHP_MODE=off", NULL };

	init(env, "first");
	ck_assert_int_eq(init(later, "second")->options.mode, HP_MODE_ON);
	ck_assert_str_eq(hp_context()->exe, "first");
}
END_TEST

static Suite *init_suite(void)
{
	Suite *suite = suite_create("init");
	TCase *tcase = tcase_create("init");

	tcase_add_test(tcase, reads_its_variables_and_says_nothing);
	tcase_add_test(tcase, no_environment_means_defaults);
	tcase_add_test(tcase, each_bad_value_costs_one_line_and_changes_nothing);
	tcase_add_test(tcase, a_long_value_is_cut);
	tcase_add_test(tcase, other_programs_than_those_named_are_passed_by);
	tcase_add_test(tcase, the_first_call_decides);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(init_suite());
}
