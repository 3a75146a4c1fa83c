/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libhp/textfile.h"
#include "tests/suite.h"
#include "tests/tree.h"

static void use_malformed(void)
{
	use_fixture("malformed/values");
}

START_TEST(whole_file_is_read_and_terminated)
{
	char buf[64];

	ck_assert_int_eq(hp_textfile_read("/lines", buf, sizeof(buf)), 13);
	ck_assert_str_eq(buf, "one\ntwo\n\nlast");
	ck_assert_int_eq(hp_textfile_read("/lines", buf, 14), 13);
	ck_assert_int_eq(hp_textfile_read("/empty", buf, sizeof(buf)), 0);
	ck_assert_str_eq(buf, "");
}
END_TEST

START_TEST(file_larger_than_the_buffer_is_told_and_cut)
{
	char buf[8];

	ck_assert_int_eq(hp_textfile_read("/lines", buf, sizeof(buf)), -EFBIG);
	ck_assert_str_eq(buf, "one\ntwo");
	ck_assert_int_eq(hp_textfile_read("/lines", buf, 1), -EFBIG);
	ck_assert_str_eq(buf, "");
}
END_TEST

START_TEST(missing_file_and_directory_are_told_apart)
{
	char buf[8] = "";
	uint64_t n = 7;

	ck_assert_int_eq(hp_textfile_read("/none", buf, sizeof(buf)), -ENOENT);
	ck_assert_int_eq(hp_textfile_read("/", buf, sizeof(buf)), -EISDIR);
	ck_assert_int_eq(hp_textfile_read("/abc/x", buf, sizeof(buf)),
			 -ENOTDIR);
	ck_assert_int_eq(hp_textfile_u64("/none", &n), -ENOENT);
	ck_assert_uint_eq(n, 7);
}
END_TEST

START_TEST(path_longer_than_any_is_refused)
{
	char path[5000], buf[8];

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	ck_assert_int_eq(hp_textfile_read(path, buf, sizeof(buf)),
			 -ENAMETOOLONG);
}
END_TEST

START_TEST(numbers_are_read)
{
	uint64_t n = 7;

	ck_assert_int_eq(hp_textfile_u64("/zero", &n), 0);
	ck_assert_uint_eq(n, 0);
	ck_assert_int_eq(hp_textfile_u64("/unterminated", &n), 0);
	ck_assert_uint_eq(n, 42);
	ck_assert_int_eq(hp_textfile_u64("/largest", &n), 0);
	ck_assert_uint_eq(n, UINT64_MAX);
}
END_TEST

START_TEST(what_is_no_number_is_never_zero)
{
	static const struct {
		const char *path;
		int err;
	} bad[] = {
		{"/empty", -ENODATA},	{"/newline", -ENODATA},
		{"/abc", -EINVAL},	{"/negative", -EINVAL},
		{"/blank", -EINVAL},	{"/trailing", -EINVAL},
		{"/two", -EINVAL},	{"/overflow", -ERANGE},
		{"/digits30", -ERANGE}, {"/digits100", -EFBIG},
	};
	uint64_t n = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(hp_textfile_u64(bad[i].path, &n), bad[i].err);
	ck_assert_uint_eq(n, 7);
}
END_TEST

START_TEST(bracketed_word_is_the_choice)
{
	char word[16] = "before", small[13];

	ck_assert_int_eq(hp_textfile_choice("/choice", word, sizeof(word)), 0);
	ck_assert_str_eq(word, "defer+madvise");
	ck_assert_int_eq(hp_textfile_choice("/choice", small, sizeof(small)),
			 -EFBIG);
}
END_TEST

START_TEST(no_brackets_no_choice)
{
	static const char *const bad[] = {"/open", "/hollow", "/abc", "/zero"};
	char word[16] = "before";

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(hp_textfile_choice(bad[i], word, sizeof(word)),
				 -EINVAL);
	ck_assert_int_eq(hp_textfile_choice("/empty", word, sizeof(word)),
			 -ENODATA);
	ck_assert_str_eq(word, "before");
}
END_TEST

START_TEST(errno_is_left_alone)
{
	uint64_t n;

	errno = 12345;
	ck_assert_int_eq(hp_textfile_u64("/none", &n), -ENOENT);
	ck_assert_int_eq(errno, 12345);
}
END_TEST

START_TEST(endless_file_ends)
{
	uint64_t n;
	char buf[64];

	use_machine();
	ck_assert_int_eq(hp_textfile_read("/dev/zero", buf, sizeof(buf)),
			 -EFBIG);
	ck_assert_int_eq(hp_textfile_u64("/dev/zero", &n), -EFBIG);
	ck_assert_int_eq(hp_textfile_u64("/dev/null", &n), -ENODATA);
}
END_TEST

static char made[] = "/tmp/check_textfile.XXXXXX";

START_TEST(fifo_in_the_place_of_a_file_does_not_hang)
{
	uint64_t n;

	use_machine();
	close(mkstemp(made));
	unlink(made);
	ck_assert_int_eq(mkfifo(made, 0600), 0);
	ck_assert_int_eq(hp_textfile_u64(made, &n), -ENODATA);
	unlink(made);
}
END_TEST

START_TEST(unreadable_file_says_so)
{
	uint64_t n;

	use_machine();
	close(mkstemp(made));
	chmod(made, 0);
	/* root may read it, and finds it empty */
	ck_assert_int_eq(hp_textfile_u64(made, &n),
			 geteuid() == 0 ? -ENODATA : -EACCES);
	unlink(made);
}
END_TEST

static int count_kinds(const char *name, void *arg)
{
	int *kinds = arg;

	kinds[0]++;
	kinds[1] += strncmp(name, "hugepages-", 10) == 0;
	kinds[2] += name[0] == '.';
	return 0;
}

static int stop_at_once(const char *name, void *arg)
{
	(void)name;
	*(int *)arg += 1;
	return -ECANCELED;
}

START_TEST(names_of_a_directory_are_listed)
{
	int kinds[3] = {0}, calls = 0;

	use_fixture("x86-64/sys/kernel/mm");
	ck_assert_int_eq(
		hp_textfile_names("/transparent_hugepage", count_kinds, kinds),
		0);
	ck_assert_int_eq(kinds[0], 9);
	ck_assert_int_eq(kinds[1], 5);
	ck_assert_int_eq(kinds[2], 0);
	ck_assert_int_eq(hp_textfile_names("/hugepages", stop_at_once, &calls),
			 -ECANCELED);
	ck_assert_int_eq(calls, 1);
	ck_assert_int_eq(hp_textfile_names("/none", stop_at_once, &calls),
			 -ENOENT);
	ck_assert_int_eq(hp_textfile_names("/transparent_hugepage/enabled",
					   stop_at_once, &calls),
			 -ENOTDIR);
}
END_TEST

START_TEST(large_directory_is_listed_whole)
{
	char dir[] = "/tmp/check_textfile.XXXXXX", path[64];
	int kinds[3] = {0};

	use_machine();
	ck_assert_ptr_nonnull(mkdtemp(dir));
	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "%s/hugepages-%d", dir, i);
		ck_assert_int_eq(mkdir(path, 0700), 0);
	}
	ck_assert_int_eq(hp_textfile_names(dir, count_kinds, kinds), 0);
	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "%s/hugepages-%d", dir, i);
		rmdir(path);
	}
	rmdir(dir);
	ck_assert_int_eq(kinds[1], 300);
	ck_assert_int_eq(kinds[0], 300);
}
END_TEST

static Suite *textfile_suite(void)
{
	Suite *suite = suite_create("textfile");
	TCase *tcase = tcase_create("values");

	tcase_add_checked_fixture(tcase, use_malformed, use_machine);
	tcase_add_test(tcase, whole_file_is_read_and_terminated);
	tcase_add_test(tcase, file_larger_than_the_buffer_is_told_and_cut);
	tcase_add_test(tcase, missing_file_and_directory_are_told_apart);
	tcase_add_test(tcase, path_longer_than_any_is_refused);
	tcase_add_test(tcase, numbers_are_read);
	tcase_add_test(tcase, what_is_no_number_is_never_zero);
	tcase_add_test(tcase, bracketed_word_is_the_choice);
	tcase_add_test(tcase, no_brackets_no_choice);
	tcase_add_test(tcase, errno_is_left_alone);
	tcase_add_test(tcase, endless_file_ends);
	tcase_add_test(tcase, fifo_in_the_place_of_a_file_does_not_hang);
	tcase_add_test(tcase, unreadable_file_says_so);
	tcase_add_test(tcase, names_of_a_directory_are_listed);
	tcase_add_test(tcase, large_directory_is_listed_whole);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(textfile_suite());
}
