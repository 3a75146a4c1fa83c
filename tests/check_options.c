/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/options.h"
#include "tests/options.h"
#include "tests/suite.h"

START_TEST(defaults_are_those_of_the_contract)
{
	ck_assert_int_eq(opt.mode, HP_MODE_TRY);
	ck_assert_uint_eq(opt.nrungs, 1);
	ck_assert_uint_eq(opt.rungs[0], HP_RUNG_THP);
	ck_assert_int_eq(opt.mmap, HP_MMAP_PACK);
	ck_assert_uint_eq(opt.start, 4 * HP_MIB);
	ck_assert_uint_eq(opt.bloat, 25);
	ck_assert_int_eq(opt.require, -1);
	ck_assert_int_eq(opt.report.sink, HP_SINK_OFF);
	ck_assert(!opt.probe.at_exit && !opt.probe.signal && !opt.probe.every);
	ck_assert(!opt.sites);
	ck_assert_int_eq(opt.fork, HP_FORK_AUTO);
	ck_assert_int_eq(opt.numa, HP_NUMA_LOCAL);
	ck_assert_str_eq(opt.only, "");
	ck_assert(opt.inherit);
	ck_assert_int_eq(opt.result_pid, 0);
}
END_TEST

START_TEST(names_are_known_with_and_without_prefix)
{
	ck_assert_int_eq(set("MODE", "off"), 0);
	ck_assert_int_eq(opt.mode, HP_MODE_OFF);
	ck_assert_int_eq(set("LIBHP_MODE", "on"), 0);
	ck_assert_int_eq(opt.mode, HP_MODE_ON);
	for (size_t i = 0; hp_options_names[i]; i++)
		ck_assert_ptr_nonnull(hp_options_accepts(hp_options_names[i]));
}
END_TEST

START_TEST(unknown_names_are_told)
{
	char buf[8];
	static const char *const bad[] = {"",	   "LIBHP_",	       "mode",
					  "MODES", "LIBHP_LIBHP_MODE", "MOD"};

	for (size_t i = 0; i < HP_ARRAY_SIZE(bad); i++) {
		ck_assert_int_eq(set(bad[i], "off"), -ENOENT);
		ck_assert_ptr_null(hp_options_accepts(bad[i]));
		ck_assert_ptr_null(hp_options_text(&opt, bad[i], buf, 8));
	}
}
END_TEST

START_TEST(sizes_come_out_in_bytes)
{
	accepts("START", "2m");
	ck_assert_uint_eq(opt.start, 2 * HP_MIB);
	accepts("PAGES", "1g,2M,thp");
	ck_assert_uint_eq(opt.nrungs, 3);
	ck_assert_uint_eq(opt.rungs[0], HP_GIB);
	ck_assert_uint_eq(opt.rungs[1], 2 * HP_MIB);
	ck_assert_uint_eq(opt.rungs[2], HP_RUNG_THP);
}
END_TEST

START_TEST(later_value_replaces_the_earlier_whole)
{
	accepts("PROBE", "exit,signal:USR2");
	accepts("PROBE", "every:5s");
	ck_assert(!opt.probe.at_exit);
	ck_assert_int_eq(opt.probe.signal, 0);
	ck_assert_uint_eq(opt.probe.every, 5);
	accepts("NUMA", "bind:1");
	accepts("NUMA", "bind:65");
	ck_assert_uint_eq(opt.numa_nodes[0], 0);
	ck_assert_uint_eq(opt.numa_nodes[1], 2);
	accepts("REPORT", "json:/long/path");
	accepts("REPORT", "stderr");
	ck_assert(!opt.report.json);
}
END_TEST

START_TEST(longest_path_and_list_fit)
{
	char value[HP_PATH_MAX + 1];

	memset(value, 'p', sizeof(value));
	value[HP_PATH_MAX] = '\0';
	refuses("REPORT", value);
	value[HP_PATH_MAX - 1] = '\0';
	accepts("REPORT", value);
	ck_assert_str_eq(opt.report.path, value);
	value[HP_LIST_MAX] = '\0';
	refuses("ONLY", value);
	value[HP_LIST_MAX - 1] = '\0';
	accepts("ONLY", value);
	ck_assert_str_eq(opt.only, value);
}
END_TEST

START_TEST(result_is_pid_and_path)
{
	accepts("LIBHP_RESULT", "4711:/tmp/a:b");
	ck_assert_int_eq(opt.result_pid, 4711);
	ck_assert_str_eq(opt.result_path, "/tmp/a:b");
}
END_TEST

START_TEST(text_is_cut_to_the_buffer)
{
	char buf[6];

	accepts("PAGES", "1G,2M,thp");
	ck_assert_ptr_eq(hp_options_text(&opt, "PAGES", buf, 6), buf);
	ck_assert_str_eq(buf, "1G,2M");
	hp_options_text(&opt, "PAGES", buf, 1);
	ck_assert_str_eq(buf, "");
}
END_TEST

START_TEST(only_admits_whole_names)
{
	ck_assert(hp_options_admits(&opt, "anything"));
	accepts("ONLY", "redis-server:python3:a");
	ck_assert(hp_options_admits(&opt, "redis-server"));
	ck_assert(hp_options_admits(&opt, "python3"));
	ck_assert(hp_options_admits(&opt, "a"));
	ck_assert(!hp_options_admits(&opt, "python"));
	ck_assert(!hp_options_admits(&opt, "python3.11"));
	ck_assert(!hp_options_admits(&opt, "server"));
	ck_assert(!hp_options_admits(&opt, ""));
}
END_TEST

static Suite *options_suite(void)
{
	Suite *suite = suite_create("options");
	TCase *tcase = tcase_create("options");

	tcase_add_checked_fixture(tcase, set_defaults, NULL);
	tcase_add_test(tcase, defaults_are_those_of_the_contract);
	tcase_add_test(tcase, names_are_known_with_and_without_prefix);
	tcase_add_test(tcase, unknown_names_are_told);
	tcase_add_test(tcase, sizes_come_out_in_bytes);
	tcase_add_test(tcase, later_value_replaces_the_earlier_whole);
	tcase_add_test(tcase, longest_path_and_list_fit);
	tcase_add_test(tcase, result_is_pid_and_path);
	tcase_add_test(tcase, text_is_cut_to_the_buffer);
	tcase_add_test(tcase, only_admits_whole_names);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(options_suite());
}
