/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libhp/textfile.h"
#include "tests/suite.h"
#include "tests/tree.h"

static void use_malformed(void)
{
	use_fixture("malformed/values");
}

static int join(char *text, void *arg)
{
	strcat(arg, text);
	strcat(arg, "|");
	return 0;
}

START_TEST(every_line_is_handed_over_even_an_unfinished_one)
{
	char all[64] = "";

	ck_assert_int_eq(hp_textfile_lines("/lines", join, all), 0);
	ck_assert_str_eq(all, "one|two||last|");
	all[0] = '\0';
	ck_assert_int_eq(hp_textfile_lines("/empty", join, all), 0);
	ck_assert_str_eq(all, "");
	ck_assert_int_eq(hp_textfile_lines("/none", join, all), -ENOENT);
}
END_TEST

static int stop_at_two(char *text, void *arg)
{
	*(int *)arg += 1;
	return strcmp(text, "two") == 0 ? 22 : 0;
}

START_TEST(callback_stops_the_reading)
{
	int calls = 0;

	ck_assert_int_eq(hp_textfile_lines("/lines", stop_at_two, &calls), 22);
	ck_assert_int_eq(calls, 2);
}
END_TEST

struct lengths {
	unsigned int n;
	size_t len[8];
	char last;
};

static int note_length(char *text, void *arg)
{
	struct lengths *lengths = arg;
	size_t len = strlen(text);

	ck_assert_uint_lt(lengths->n, 8);
	lengths->len[lengths->n++] = len;
	lengths->last = len > 0 ? text[len - 1] : '\0';
	return 0;
}

static char made[] = "/tmp/check_textfile.XXXXXX";

/* a file of two lines: @first times 'a', @second times 'b', no newline after */
static void make_lines(size_t first, size_t second)
{
	int fd = mkstemp(made);
	FILE *file = fdopen(fd, "w");

	ck_assert_ptr_nonnull(file);
	while (first-- > 0)
		putc('a', file);
	putc('\n', file);
	while (second-- > 0)
		putc('b', file);
	fclose(file);
	use_machine();
}

static void remove_made(void)
{
	unlink(made);
	strcpy(strrchr(made, '.'), ".XXXXXX");
}

START_TEST(lines_around_the_size_of_the_buffer_are_whole_or_cut)
{
	struct lengths got = {0};
	size_t first = 4090 + (size_t)_i;

	make_lines(first, 20000);
	ck_assert_int_eq(hp_textfile_lines(made, note_length, &got), 0);
	remove_made();
	ck_assert_uint_eq(got.n, 2);
	ck_assert_uint_eq(got.len[0], first < 4095 ? first : 4095);
	ck_assert_uint_eq(got.len[1], 4095);
	ck_assert_int_eq(got.last, 'b');
}
END_TEST

static int find_mount(char *text, void *arg)
{
	*(size_t *)arg = strlen(text);
	return strstr(text, " - cgroup2 ") != NULL;
}

START_TEST(line_of_6000_bytes_does_not_hide_the_next)
{
	size_t len = 0;

	use_fixture("long-line");
	ck_assert_int_eq(
		hp_textfile_lines("/proc/self/mountinfo", find_mount, &len), 1);
	ck_assert_uint_eq(len, 51);
}
END_TEST

START_TEST(endless_file_ends)
{
	struct lengths got = {0};

	use_machine();
	ck_assert_int_eq(hp_textfile_lines("/dev/zero", note_length, &got),
			 -EFBIG);
	ck_assert_uint_eq(got.n, 1);
}
END_TEST

struct rollup {
	uint64_t rss, thp, hugetlb;
};

static int sum_rollup(char *text, void *arg)
{
	struct rollup *sum = arg;
	uint64_t kib;

	if (!hp_text_field(text, "Rss", &kib))
		sum->rss += kib;
	if (!hp_text_field(text, "AnonHugePages", &kib))
		sum->thp += kib;
	if (!hp_text_field(text, "Private_Hugetlb", &kib))
		sum->hugetlb += kib;
	return 0;
}

static struct rollup rollup_of(const char *tree, const char *file)
{
	struct rollup sum = {0};

	use_fixture(tree);
	ck_assert_int_eq(hp_textfile_lines(file, sum_rollup, &sum), 0);
	return sum;
}

START_TEST(fields_of_old_and_coming_kernels_are_found_by_name)
{
	struct rollup sum = rollup_of("smaps-4.14", "/proc/self/smaps_rollup");

	ck_assert_uint_eq(sum.rss, 10240);
	ck_assert_uint_eq(sum.thp, 6144);
	ck_assert_uint_eq(sum.hugetlb, 4096);
	sum = rollup_of("smaps-next", "/proc/self/smaps_rollup");
	ck_assert_uint_eq(sum.rss, 8589934592);
	ck_assert_uint_eq(sum.thp, 6442450944);
	ck_assert_uint_eq(sum.hugetlb, 5);
}
END_TEST

START_TEST(mapping_named_like_a_field_is_not_counted)
{
	struct rollup sum = rollup_of("smaps-only", "/proc/self/smaps");

	ck_assert_uint_eq(sum.rss, 4196);
	ck_assert_uint_eq(sum.thp, 2048);
	ck_assert_uint_eq(sum.hugetlb, 4096);
}
END_TEST

static Suite *lines_suite(void)
{
	Suite *suite = suite_create("textfile lines");
	TCase *tcase = tcase_create("lines");

	tcase_add_checked_fixture(tcase, use_malformed, use_machine);
	tcase_set_timeout(tcase, 120); /* valgrind reads a GiB */
	tcase_add_test(tcase, every_line_is_handed_over_even_an_unfinished_one);
	tcase_add_test(tcase, callback_stops_the_reading);
	tcase_add_loop_test(
		tcase, lines_around_the_size_of_the_buffer_are_whole_or_cut, 0,
		12);
	tcase_add_test(tcase, line_of_6000_bytes_does_not_hide_the_next);
	tcase_add_test(tcase, endless_file_ends);
	tcase_add_test(tcase,
		       fields_of_old_and_coming_kernels_are_found_by_name);
	tcase_add_test(tcase, mapping_named_like_a_field_is_not_counted);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(lines_suite());
}
