/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>

#include "libhp/common.h"
#include "libhp/doctor/room.h"
#include "libhp/smaps.h"
#include "libhp/tool/json.h"
#include "libhp/tool/target.h"
#include "libhp/tool/tool.h"
#include "tests/fixture.h"
#include "tests/suite.h"

static void expect_text(const char *text, const char *wanted)
{
	struct json_object *o = hp_tool_json_text(text);

	ck_assert_str_eq(json_object_get_string(o), wanted);
	json_object_put(o);
}

START_TEST(text_of_json_is_utf8)
{
	expect_text("/usr/bin/true", "/usr/bin/true");
	expect_text("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x92\xa9z",
		    "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x92\xa9z");
	expect_text("a\xff\xfe"
		    "b",
		    "a??b");
	expect_text("cut \xe2\x82", "cut ??");
	/* longer than need be, a surrogate, past the last */
	expect_text("\xc0\xaf", "??");
	expect_text("\xed\xa0\x80", "???");
	expect_text("\xf4\x90\x80\x80", "????");
}
END_TEST

START_TEST(no_text_is_null)
{
	ck_assert_ptr_null(hp_tool_json_text(NULL));
	ck_assert_ptr_null(hp_tool_json_text(""));
}
END_TEST

START_TEST(bytes_are_readable)
{
	char buf[HP_TOOL_BYTES];

	ck_assert_str_eq(hp_tool_bytes(0, buf), "0.0 MiB");
	ck_assert_str_eq(hp_tool_bytes(8192, buf), "8 KiB");
	ck_assert_str_eq(hp_tool_bytes(HP_MIB, buf), "1.0 MiB");
	ck_assert_str_eq(hp_tool_bytes(3 * HP_GIB / 2, buf), "1.5 GiB");
	ck_assert_str_eq(hp_tool_bytes(1ULL << 47, buf), "131072.0 GiB");
}
END_TEST

static struct hp_smaps seen[8];
static unsigned int nseen;

static void see(const struct hp_smaps *mapping, void *arg)
{
	(void)arg;
	ck_assert_uint_lt(nseen, HP_ARRAY_SIZE(seen));
	seen[nseen++] = *mapping;
}

static void read_smaps(const char *text)
{
	nseen = 0;
	fixture_open();
	fixture_write("/proc/7/smaps", text);
	ck_assert_int_eq(hp_smaps_visit("/proc/7/smaps", see, NULL), 0);
	fixture_close();
}

START_TEST(mappings_are_told_apart)
{
	read_smaps("00400000-00600000 r-xp 00000000 08:01 17      /bin/a b\n"
		   "Rss: 4 kB\nVmFlags: rd ex mr mw me \n"
		   "a0000000-a0600000 rw-p 00000000 00:00 0 \n"
		   "Rss: 4 kB\nVmFlags: rd wr mr mw me hg \n"
		   "b0000000-b0600000 rw-p 00000000 00:00 0      [heap]\n"
		   "Rss: 4 kB\nVmFlags: rd wr nh \n"
		   "c0000000-c0600000 rw-s 00000000 00:01 9     /dev/zero\n"
		   "Rss: 4 kB\n");
	ck_assert_uint_eq(nseen, 4);
	ck_assert(seen[0].file && !seen[0].shared && !seen[0].advised);
	ck_assert_str_eq(seen[0].name, "/bin/a b");
	ck_assert(!seen[1].file && seen[1].advised && !seen[1].refused);
	ck_assert_str_eq(seen[1].name, "");
	ck_assert(!seen[2].file && !seen[2].advised && seen[2].refused);
	ck_assert_str_eq(seen[2].name, "[heap]");
	ck_assert(seen[3].file && seen[3].shared);
}
END_TEST

START_TEST(long_names_are_cut)
{
	char text[600] = "a0000000-a0600000 rw-p 00000000 08:01 5 /";

	memset(text + strlen(text), 'x', 400);
	strcat(text, "\nRss: 4 kB\n");
	read_smaps(text);
	ck_assert_uint_eq(strlen(seen[0].name), HP_SMAPS_NAME - 1);
}
END_TEST

static struct hp_target target;

START_TEST(a_process_is_looked_at)
{
	fixture_open();
	fixture_write("/proc/7/status", "Name:\tjava\nPPid:\t3\n"
					"THP_enabled:\t0\nKthread:\t0\n");
	ck_assert_int_eq(hp_target_look(7, &target), 0);
	ck_assert_str_eq(target.name, "java");
	ck_assert_int_eq(target.parent, 3);
	ck_assert_int_eq(target.thp, 0);
	ck_assert(!target.kernel);
	fixture_write("/proc/8/status", "Name:\tkswapd0\nKthread:\t1\n");
	ck_assert_int_eq(hp_target_look(8, &target), 0);
	ck_assert(target.kernel);
	ck_assert_int_eq(target.thp, -1);
	fixture_close();
}
END_TEST

START_TEST(no_process_is_told_from_no_proc)
{
	fixture_open();
	ck_assert_int_eq(hp_target_look(7, &target), -ENODEV);
	fixture_write("/proc/self/stat", "1 (x) R\n");
	ck_assert_int_eq(hp_target_look(7, &target), -ENOENT);
	fixture_close();
}
END_TEST

static void collect(pid_t pid, void *arg)
{
	*(int *)arg += (int)pid;
}

START_TEST(processes_are_found_by_name_or_argument)
{
	int sum = 0;

	fixture_open();
	fixture_write("/proc/self/stat", "1 (x) R\n");
	fixture_write("/proc/1000001/status", "Name:\tserver\n");
	fixture_write("/proc/1000002/status", "Name:\tpython3.11\n");
	fixture_write("/proc/1000002/cmdline", "/usr/bin/server");
	fixture_write("/proc/1000003/status", "Name:\tserver2\n");
	fixture_write("/proc/1000004/status", "Name:\tserver\nKthread:\t1\n");
	fixture_write("/proc/meminfo", "MemTotal: 1 kB\n");
	ck_assert_int_eq(hp_target_find("server", collect, &sum), 2);
	ck_assert_int_eq(sum, 2000003);
	ck_assert_int_eq(hp_target_find("none", collect, &sum), 0);
	fixture_close();
}
END_TEST

START_TEST(idle_cache_is_room)
{
	struct hp_cgroup g = {.v2 = true, .dir = "/g"};

	fixture_open();
	fixture_write("/g/memory.max", "1000000\n");
	fixture_write("/g/memory.current", "900000\n");
	ck_assert_uint_eq(hp_room_read(&g), 100000);
	fixture_write("/g/memory.stat", "anon 5\ninactive_file 300000\n");
	ck_assert_uint_eq(hp_room_read(&g), 400000);
	fixture_write("/g/memory.max", "max\n");
	ck_assert_uint_eq(hp_room_read(&g), HP_CGROUP_UNKNOWN);
	fixture_close();
}
END_TEST

static Suite *tool_suite(void)
{
	Suite *suite = suite_create("tool");
	TCase *tcase = tcase_create("looking");

	tcase_add_test(tcase, text_of_json_is_utf8);
	tcase_add_test(tcase, no_text_is_null);
	tcase_add_test(tcase, bytes_are_readable);
	tcase_add_test(tcase, mappings_are_told_apart);
	tcase_add_test(tcase, long_names_are_cut);
	tcase_add_test(tcase, a_process_is_looked_at);
	tcase_add_test(tcase, no_process_is_told_from_no_proc);
	tcase_add_test(tcase, processes_are_found_by_name_or_argument);
	tcase_add_test(tcase, idle_cache_is_room);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(tool_suite());
}
