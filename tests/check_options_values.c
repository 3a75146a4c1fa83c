/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/options.h"
#include "tests/options.h"
#include "tests/suite.h"

START_TEST(what_no_option_takes)
{
	static const char *const values[] = {
		"",
		" ",
		"\xe2\x80\x9c"
		"2M\xe2\x80\x9d",
		" 2M",
		"2MB",
		"-1",
		"99999999999999999999G",
		"off ",
		"OFF",
		"try,",
		",",
		"1,",
	};
	static const char *const free_text[] = {"REPORT", "ONLY"};

	for (size_t i = 0; hp_options_names[i]; i++) {
		const char *name = hp_options_names[i];

		if (!strcmp(name, free_text[0]) || !strcmp(name, free_text[1]))
			continue;
		for (size_t k = 0; k < HP_ARRAY_SIZE(values); k++)
			refuses(name, values[k]);
	}
	refuses("REPORT", "");
	refuses("ONLY", "");
}
END_TEST

START_TEST(hundred_kilobytes_are_refused_by_every_option)
{
	static const char filling[] = "x1,:";
	char *value = malloc(100001);

	for (size_t k = 0; k < sizeof(filling) - 1; k++) {
		memset(value, filling[k], 100000);
		value[100000] = '\0';
		for (size_t i = 0; hp_options_names[i]; i++)
			refuses(hp_options_names[i], value);
	}
	free(value);
}
END_TEST

START_TEST(default_text_is_accepted_back)
{
	static const char *const unset[] = {"REQUIRE", "ONLY", "RESULT"};

	for (size_t i = 0; hp_options_names[i]; i++) {
		const char *name = hp_options_names[i];
		bool skip = false;

		for (size_t k = 0; k < HP_ARRAY_SIZE(unset); k++)
			skip |= strcmp(name, unset[k]) == 0;
		if (!skip)
			accepts(name, text(name));
	}
	ck_assert_str_eq(text("REQUIRE"), "none");
	ck_assert_str_eq(text("ONLY"), "every program");
	ck_assert_str_eq(text("LIBHP_RESULT"), "none");
}
END_TEST

struct spelling {
	const char *name, *value;
};

static const struct spelling good[] = {
	{"MODE", "try"},
	{"MODE", "on"},
	{"MODE", "off"},
	{"PAGES", "thp"},
	{"PAGES", "2M"},
	{"PAGES", "1G,2M,thp"},
	{"PAGES", "64K,32M,512M,16G"},
	{"MMAP", "pack"},
	{"MMAP", "align"},
	{"MMAP", "off"},
	{"START", "0"},
	{"START", "3M"},
	{"START", "1536"},
	{"BLOAT", "0"},
	{"BLOAT", "10000"},
	{"REQUIRE", "0"},
	{"REQUIRE", "95"},
	{"REQUIRE", "100"},
	{"REPORT", "off"},
	{"REPORT", "stderr"},
	{"REPORT", "fd:0"},
	{"REPORT", "fd:2147483647"},
	{"REPORT", "json:fd:3"},
	{"REPORT", "json:stderr"},
	{"REPORT", "json:off"},
	{"REPORT", "/tmp/hp.%e.%p.%%"},
	{"REPORT", "json:out"},
	{"PROBE", "off"},
	{"PROBE", "exit"},
	{"PROBE", "signal:USR2"},
	{"PROBE", "every:30s"},
	{"PROBE", "exit,signal:HUP,every:1s"},
	{"SITES", "0"},
	{"SITES", "1"},
	{"SITES", "/tmp/%e.%p.heap"},
	{"SITES", "x.folded"},
	{"FORK", "auto"},
	{"FORK", "share"},
	{"FORK", "demote"},
	{"NUMA", "local"},
	{"NUMA", "interleave"},
	{"NUMA", "bind:0"},
	{"NUMA", "bind:0,3,64,1023"},
	{"ONLY", "python3"},
	{"ONLY", "a:b c:d.e"},
	{"INHERIT", "1"},
	{"INHERIT", "0"},
	{"RESULT", "1:/tmp/x"},
	{"RESULT", "2147483647:/"},
};

START_TEST(good_spellings_are_kept)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(good); i++) {
		accepts(good[i].name, good[i].value);
		ck_assert_str_eq(text(good[i].name), good[i].value);
	}
}
END_TEST

static const struct spelling bad[] = {
	{"PAGES", "0"},
	{"PAGES", "1"},
	{"PAGES", "4K"},
	{"PAGES", "3M"},
	{"PAGES", "2M,"},
	{"PAGES", ",2M"},
	{"PAGES", "2M,,thp"},
	{"PAGES", "2M, thp"},
	{"PAGES", "THP"},
	{"PAGES", "2M:thp"},
	{"PAGES", "2M,2M,2M,2M,2M,2M,2M,2M,thp"},
	{"START", "garbage"},
	{"START", "16777216T"},
	{"START", "4m "},
	{"BLOAT", "3M"},
	{"BLOAT", "10001"},
	{"BLOAT", "25%"},
	{"REQUIRE", "101"},
	{"REQUIRE", "0.9"},
	{"REQUIRE", "none"},
	{"REPORT", "json:"},
	{"REPORT", "fd:"},
	{"REPORT", "fd:-1"},
	{"REPORT", "fd:x"},
	{"REPORT", "fd:2147483648"},
	{"REPORT", "fd:1 "},
	{"REPORT", "/tmp/%d"},
	{"REPORT", "/tmp/%"},
	{"PROBE", "signal:"},
	{"PROBE", "signal:KILL"},
	{"PROBE", "signal:SIGUSR2"},
	{"PROBE", "signal:12"},
	{"PROBE", "every:30"},
	{"PROBE", "every:0s"},
	{"PROBE", "every:s"},
	{"PROBE", "every:30s "},
	{"PROBE", "every:4294967296s"},
	{"PROBE", "exit,off"},
	{"PROBE", "exit,"},
	{"PROBE", "on"},
	{"SITES", "2"},
	{"SITES", ".heap"},
	{"SITES", "/tmp/%q.heap"},
	{"SITES", "/tmp/x.svg"},
	{"SITES", "00"},
	{"SITES", "yes"},
	{"NUMA", "bind"},
	{"NUMA", "bind:"},
	{"NUMA", "bind:1024"},
	{"NUMA", "bind:0-3"},
	{"NUMA", "bind:1,"},
	{"NUMA", "0"},
	{"ONLY", ":"},
	{"ONLY", "a:"},
	{"ONLY", ":a"},
	{"ONLY", "a::b"},
	{"ONLY", "/usr/bin/a"},
	{"INHERIT", "true"},
	{"RESULT", "0:/x"},
	{"RESULT", "1:x"},
	{"RESULT", "1"},
	{"RESULT", ":/x"},
	{"RESULT", "2147483648:/x"},
};

START_TEST(bad_spellings_are_refused)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(bad); i++)
		refuses(bad[i].name, bad[i].value);
}
END_TEST

static Suite *values_suite(void)
{
	Suite *suite = suite_create("options values");
	TCase *tcase = tcase_create("values");

	tcase_add_checked_fixture(tcase, set_defaults, NULL);
	tcase_add_test(tcase, what_no_option_takes);
	tcase_add_test(tcase, hundred_kilobytes_are_refused_by_every_option);
	tcase_add_test(tcase, default_text_is_accepted_back);
	tcase_add_test(tcase, good_spellings_are_kept);
	tcase_add_test(tcase, bad_spellings_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(values_suite());
}
