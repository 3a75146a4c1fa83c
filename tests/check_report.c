/* SPDX-License-Identifier: MIT */
#include "tests/figures.h"
#include "tests/fixture.h"
#include "tests/memory.h"

#include <json-c/json.h>

#include "libhp/json.h"
#include "libhp/out.h"

static char printed[8192];

/* @printed gets what a report writes to a descriptor */
static const char *print(const struct hp_report *r, enum hp_format format)
{
	int fd = memfd_create("report", MFD_CLOEXEC);
	ssize_t n;

	ck_assert_int_eq(hp_report_print(r, fd, format), 0);
	n = pread(fd, printed, sizeof(printed) - 1, 0);
	ck_assert_int_gt(n, 0);
	printed[n] = '\0';
	close(fd);
	return printed;
}

static struct json_object *parse(const struct hp_report *r)
{
	struct json_object *json = json_tokener_parse(print(r, HP_FORMAT_JSON));

	ck_assert_msg(json, "not JSON: %s", printed);
	return json;
}

static struct json_object *get(struct json_object *json, const char *a,
			       const char *b)
{
	struct json_object *value;

	ck_assert_msg(json_object_object_get_ex(json, a, &value), "no %s", a);
	if (b)
		ck_assert_msg(json_object_object_get_ex(value, b, &value),
			      "no %s.%s", a, b);
	return value;
}

static unsigned int lines(const char *text)
{
	unsigned int n = 0;

	for (; (text = strchr(text, '\n')); text++)
		n++;
	return n;
}

static enum hp_verdict verdict(uint64_t huge)
{
	struct figures f;

	figures_make(&f, huge);
	return hp_report_verdict(&f.report);
}

START_TEST(verdict_follows_coverage)
{
	ck_assert_int_eq(verdict(52), HP_VERDICT_HUGE);
	ck_assert_int_eq(verdict(47), HP_VERDICT_HUGE);
	ck_assert_int_eq(verdict(46), HP_VERDICT_PARTIAL);
	ck_assert_int_eq(verdict(1), HP_VERDICT_PARTIAL);
	ck_assert_int_eq(verdict(0), HP_VERDICT_NONE);
}
END_TEST

START_TEST(verdict_is_unknown_when_it_might_be_another)
{
	struct figures f;

	figures_make(&f, 40);
	f.stats.managed.unknown = HP_MIB;
	ck_assert_int_eq(hp_report_verdict(&f.report), HP_VERDICT_PARTIAL);
	f.stats.managed.unknown = HP_GIB;
	ck_assert_int_eq(hp_report_verdict(&f.report), HP_VERDICT_UNKNOWN);
	figures_forget(&f);
	ck_assert_int_eq(hp_report_verdict(&f.report), HP_VERDICT_UNKNOWN);
}
END_TEST

START_TEST(off_is_confirmed_by_the_kernel)
{
	struct figures f;

	figures_make(&f, 0);
	f.options.mode = HP_MODE_OFF;
	ck_assert_int_eq(hp_report_verdict(&f.report), HP_VERDICT_OFF);
	f.stats.managed.huge = f.stats.managed.present;
	ck_assert_int_eq(hp_report_verdict(&f.report), HP_VERDICT_HUGE);
	figures_forget(&f);
	ck_assert_int_eq(hp_report_verdict(&f.report), HP_VERDICT_UNKNOWN);
}
END_TEST

START_TEST(coverage_is_of_the_process)
{
	struct figures f;

	figures_make(&f, 45);
	ck_assert_int_eq(hp_report_coverage(&f.report), 7500);
	figures_forget(&f);
	ck_assert_int_eq(hp_report_coverage(&f.report), -1);
}
END_TEST

START_TEST(json_has_the_figures)
{
	struct figures f;
	struct json_object *json;

	figures_make(&f, 39);
	json = parse(&f.report);
	ck_assert_str_eq(json_object_get_string(get(json, "schema", NULL)),
			 "libhp.report/1");
	ck_assert_str_eq(json_object_get_string(get(json, "exe", NULL)),
			 "python3");
	ck_assert_str_eq(json_object_get_string(get(json, "verdict", NULL)),
			 "partial");
	ck_assert_str_eq(json_object_get_string(get(json, "mode", NULL)),
			 "try");
	ck_assert_int_eq(json_object_get_int(get(json, "heap", "slots")), 52);
	ck_assert_int_eq(json_object_get_int(get(json, "heap", "alloc_calls")),
			 77);
	ck_assert_double_eq_tol(
		json_object_get_double(get(json, "managed", "coverage")), 0.75,
		1e-9);
	ck_assert_double_eq_tol(
		json_object_get_double(get(json, "managed", "bloat")), 0.04,
		1e-9);
	ck_assert_int_eq(
		json_object_get_int(get(json, "reasons", "split-by-program")),
		13);
	json_object_put(json);
}
END_TEST

START_TEST(unknown_is_null_in_json)
{
	static const char *const keys[][2] = {
		{"process", "present_bytes"},
		{"process", "coverage"},
		{"managed", "huge_bytes"},
		{"managed", "coverage"},
		{"managed", "bloat"},
		{"heap", "present_bytes"},
		{"requirement", "met"},
		{"probe", NULL},
		{"sites", NULL},
		{"mode", NULL},
		{"exe", NULL},
	};
	struct figures f;
	struct json_object *json;

	figures_make(&f, 0);
	figures_forget(&f);
	f.report.options = NULL;
	f.report.exe[0] = '\0';
	json = parse(&f.report);
	for (size_t i = 0; i < HP_ARRAY_SIZE(keys); i++)
		ck_assert_msg(!get(json, keys[i][0], keys[i][1]), "%s %s",
			      keys[i][0], keys[i][1]);
	ck_assert_str_eq(json_object_get_string(get(json, "verdict", NULL)),
			 "unknown");
	json_object_put(json);
}
END_TEST

START_TEST(names_are_escaped)
{
	struct figures f;
	struct json_object *json;

	figures_make(&f, 1);
	strcpy(f.report.exe, "a\"b\\c\n\x01\xc3\xa9\xff\xed\xa0\x80z");
	json = parse(&f.report);
	ck_assert_str_eq(json_object_get_string(get(json, "exe", NULL)),
			 "a\"b\\c\n\x01\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd"
			 "\xef\xbf\xbd\xef\xbf\xbdz");
	json_object_put(json);
}
END_TEST

static void put_sites(struct hp_json *json)
{
	hp_json_raw(json, "sites",
		    "[{\"bytes\": 1, \"huge_bytes\": 0, \"stack\": []}]");
}

START_TEST(probe_and_sites_are_taken_as_they_are)
{
	struct figures f;
	struct json_object *json;

	figures_make(&f, 1);
	f.report.probe = "{\"ns\": 1.5}";
	f.report.sites = put_sites;
	json = parse(&f.report);
	ck_assert_double_eq_tol(
		json_object_get_double(get(json, "probe", "ns")), 1.5, 1e-9);
	ck_assert_uint_eq(json_object_array_length(get(json, "sites", NULL)),
			  1);
	json_object_put(json);
}
END_TEST

/* what the report says of a requirement: 1 met, 0 not met, -1 not known */
static int met(int percent, struct figures *f)
{
	struct json_object *json, *value;
	int said;

	f->options.require = percent;
	json = parse(&f->report);
	value = get(json, "requirement", "percent");
	ck_assert_int_eq(json_object_get_int(value), percent);
	value = get(json, "requirement", "met");
	said = value ? json_object_get_boolean(value) : -1;
	json_object_put(json);
	return said;
}

START_TEST(requirement_is_of_the_process)
{
	struct figures f;

	figures_make(&f, 45); /* three quarters of the process */
	ck_assert_int_eq(met(75, &f), 1);
	ck_assert_int_eq(met(76, &f), 0);
	figures_forget(&f);
	ck_assert_int_eq(met(1, &f), -1);
}
END_TEST

START_TEST(text_begins_with_the_verdict)
{
	struct figures f;

	figures_make(&f, 39);
	print(&f.report, HP_FORMAT_TEXT);
	ck_assert(strstr(printed, "libhp: partial: 75.0 % of 104.0 MiB") ==
		  printed);
	ck_assert_ptr_nonnull(strstr(printed, "13  split-by-program"));
	figures_forget(&f);
	print(&f.report, HP_FORMAT_TEXT);
	ck_assert(strstr(printed, "libhp: unknown: ") == printed);
	ck_assert_ptr_null(strstr(printed, " 0.0 MiB"));
}
END_TEST

START_TEST(coverage_is_never_rounded_up_to_all)
{
	struct figures f;

	figures_make(&f, 52);
	f.stats.managed.huge--;
	print(&f.report, HP_FORMAT_TEXT);
	ck_assert(strstr(printed, "libhp: huge: 99.9 %") == printed);
}
END_TEST

START_TEST(text_fits_a_screen)
{
	struct figures f;

	figures_make(&f, 1);
	for (int i = 1; i < HP_REASON_COUNT; i++)
		f.stats.reasons[i] = (uint64_t)i;
	f.stats.mmap = f.stats.region = f.stats.heap;
	f.options.require = 90;
	f.pagesizes.npools = HP_HUGETLB_MAX;
	for (unsigned int i = 0; i < HP_HUGETLB_MAX; i++)
		f.pagesizes.pools[i].size = (size_t)1 << (30 - i);
	hp_stats_count(HP_EVENT_MMAP_SEEN);
	print(&f.report, HP_FORMAT_TEXT);
	ck_assert_uint_le(lines(printed), 25);
	ck_assert_ptr_nonnull(strstr(printed, "for other reasons"));
	ck_assert_ptr_nonnull(strstr(printed, "required coverage 90 %: not"));
}
END_TEST

START_TEST(pool_counts_are_of_now)
{
	struct figures f;
	struct json_object *json;

	figures_make(&f, 1);
	f.pagesizes.npools = 1;
	f.pagesizes.pools[0].size = 2 * HP_MIB;
	f.pagesizes.pools[0].total = 1000;
	fixture_open();
	json = parse(&f.report);
	ck_assert_ptr_null(get(get(json, "pool", "2M"), "total", NULL));
	json_object_put(json);
	fixture_write("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
		      "12\n");
	fixture_write("/sys/kernel/mm/hugepages/hugepages-2048kB/"
		      "free_hugepages",
		      "7\n");
	json = parse(&f.report);
	fixture_close();
	ck_assert_int_eq(json_object_get_int(
				 get(get(json, "pool", "2M"), "total", NULL)),
			 12);
	ck_assert_int_eq(
		json_object_get_int(get(get(json, "pool", "2M"), "free", NULL)),
		7);
	json_object_put(json);
}
END_TEST

START_TEST(write_errors_are_told)
{
	struct figures f;
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);

	figures_make(&f, 1);
	ck_assert_int_eq(hp_report_print(&f.report, -1, HP_FORMAT_TEXT),
			 -EBADF);
	if (full >= 0)
		ck_assert_int_eq(
			hp_report_print(&f.report, full, HP_FORMAT_JSON),
			-ENOSPC);
	ck_assert_int_eq(hp_report_write(1, (enum hp_format)7), -EINVAL);
}
END_TEST

START_TEST(public_report_is_of_this_process)
{
	int fd = memfd_create("report", MFD_CLOEXEC);
	char comm[32] = ""; /* under valgrind it is valgrind's */
	struct json_object *json;

	ck_assert_int_eq(hp_report_write(fd, HP_FORMAT_JSON), 0);
	ck_assert_int_gt(pread(fd, printed, sizeof(printed) - 1, 0), 0);
	json = json_tokener_parse(printed);
	ck_assert_ptr_nonnull(json);
	ck_assert_int_eq(json_object_get_int(get(json, "pid", NULL)), getpid());
	ck_assert_int_gt(
		hp_textfile_read("/proc/self/comm", comm, sizeof(comm)), 0);
	comm[strcspn(comm, "\n")] = '\0';
	ck_assert_str_eq(json_object_get_string(get(json, "exe", NULL)), comm);
	json_object_put(json);
}
END_TEST

START_TEST(path_patterns_are_expanded)
{
	char out[32];

	ck_assert_int_eq(
		hp_report_path("r-%e.%p%%%x", 42, "/bin/sh", out, sizeof(out)),
		0);
	ck_assert_str_eq(out, "r-sh.42%%x");
	ck_assert_int_eq(hp_report_path("%", 1, "x", out, sizeof(out)), 0);
	ck_assert_str_eq(out, "%");
	ck_assert_int_eq(hp_report_path("12345678901234567890123456789012", 1,
					"x", out, sizeof(out)),
			 -ENAMETOOLONG);
	ck_assert_int_eq(hp_report_path("x", 1, "x", out, 0), -ENAMETOOLONG);
}
END_TEST

START_TEST(long_text_passes_through_the_buffer)
{
	int fd = memfd_create("out", MFD_CLOEXEC);
	struct hp_out out;

	hp_out_open(&out, fd);
	for (uint64_t i = 0; i < 1000; i++)
		hp_out_u64(&out, i, 5);
	ck_assert_int_eq(hp_out_close(&out), 0);
	ck_assert_int_eq(pread(fd, printed, 5000, 0), 5000);
	ck_assert_int_eq(strncmp(printed + 4990, "  998  999", 10), 0);
}
END_TEST

static Suite *report_suite(void)
{
	Suite *suite = suite_create("report");
	TCase *tcase = tcase_create("report");

	tcase_add_test(tcase, verdict_follows_coverage);
	tcase_add_test(tcase, verdict_is_unknown_when_it_might_be_another);
	tcase_add_test(tcase, off_is_confirmed_by_the_kernel);
	tcase_add_test(tcase, coverage_is_of_the_process);
	tcase_add_test(tcase, json_has_the_figures);
	tcase_add_test(tcase, unknown_is_null_in_json);
	tcase_add_test(tcase, names_are_escaped);
	tcase_add_test(tcase, probe_and_sites_are_taken_as_they_are);
	tcase_add_test(tcase, requirement_is_of_the_process);
	tcase_add_test(tcase, text_begins_with_the_verdict);
	tcase_add_test(tcase, coverage_is_never_rounded_up_to_all);
	tcase_add_test(tcase, text_fits_a_screen);
	tcase_add_test(tcase, pool_counts_are_of_now);
	tcase_add_test(tcase, write_errors_are_told);
	tcase_add_test(tcase, public_report_is_of_this_process);
	tcase_add_test(tcase, path_patterns_are_expanded);
	tcase_add_test(tcase, long_text_passes_through_the_buffer);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(report_suite());
}
