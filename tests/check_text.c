/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>

#include "libhp/size.h"
#include "libhp/text.h"
#include "tests/suite.h"

START_TEST(number_ends_at_the_first_other_character)
{
	const char *text = "4096 kB", *end;
	uint64_t n;

	ck_assert_int_eq(hp_text_u64(text, &end, &n), 0);
	ck_assert_uint_eq(n, 4096);
	ck_assert_ptr_eq(end, text + 4);
	ck_assert_int_eq(hp_text_u64("0", NULL, &n), 0);
	ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(largest_number_fits_and_the_next_does_not)
{
	uint64_t n = 7;

	ck_assert_int_eq(hp_text_u64("18446744073709551615", NULL, &n), 0);
	ck_assert_uint_eq(n, UINT64_MAX);
	ck_assert_int_eq(hp_text_u64("18446744073709551616", NULL, &n),
			 -ERANGE);
	ck_assert_int_eq(hp_text_u64("99999999999999999999999", NULL, &n),
			 -ERANGE);
	ck_assert_uint_eq(n, UINT64_MAX);
}
END_TEST

START_TEST(blanks_and_signs_are_no_numbers)
{
	static const char *const bad[] = {"",	 " 1", "-1", "+1",
					  "\t1", "x",  ".5"};
	uint64_t n = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(hp_text_u64(bad[i], NULL, &n), -EINVAL);
	ck_assert_uint_eq(n, 7);
}
END_TEST

START_TEST(field_is_found_by_its_whole_name)
{
	uint64_t n = 0;

	ck_assert_int_eq(hp_text_field("Rss:    100 kB", "Rss", &n), 0);
	ck_assert_uint_eq(n, 100);
	ck_assert_int_eq(
		hp_text_field("HugePages_Free:\t3", "HugePages_Free", &n), 0);
	ck_assert_uint_eq(n, 3);
	ck_assert_int_eq(hp_text_field("Pss_Dirty: 1 kB", "Pss", &n), -ENODATA);
	ck_assert_int_eq(hp_text_field("Pss: 1 kB", "Pss_Dirty", &n), -ENODATA);
	ck_assert_int_eq(hp_text_field("", "Pss", &n), -ENODATA);
}
END_TEST

START_TEST(field_inside_a_line_does_not_deceive)
{
	uint64_t n;

	ck_assert_int_eq(hp_text_field("7f00-7f01 rw-p 0 00:01 12 /Rss: 9 kB",
				       "Rss", &n),
			 -ENODATA);
	ck_assert_int_eq(hp_text_field(" Rss: 9 kB", "Rss", &n), -ENODATA);
}
END_TEST

START_TEST(field_without_a_number_is_an_error_not_zero)
{
	uint64_t n = 7;

	ck_assert_int_eq(hp_text_field("Rss:", "Rss", &n), -EINVAL);
	ck_assert_int_eq(hp_text_field("Rss: kB", "Rss", &n), -EINVAL);
	ck_assert_int_eq(hp_text_field("Rss: 12x", "Rss", &n), -EINVAL);
	ck_assert_int_eq(hp_text_field("Rss: -1 kB", "Rss", &n), -EINVAL);
	ck_assert_int_eq(
		hp_text_field("Rss: 99999999999999999999 kB", "Rss", &n),
		-ERANGE);
	ck_assert_uint_eq(n, 7);
}
END_TEST

START_TEST(appended_text_is_cut_at_the_end_of_the_buffer)
{
	char buf[8] = "ab";

	ck_assert_int_eq(hp_text_append_u64(buf, sizeof(buf), 0), 0);
	ck_assert_int_eq(hp_text_append(buf, sizeof(buf), "cdef"), 0);
	ck_assert_str_eq(buf, "ab0cdef");
	ck_assert_int_eq(hp_text_append(buf, sizeof(buf), ""), 0);
	ck_assert_int_eq(hp_text_append(buf, sizeof(buf), "g"), -ENAMETOOLONG);
	ck_assert_str_eq(buf, "ab0cdef");
}
END_TEST

START_TEST(sizes_are_powers_of_1024_in_either_case)
{
	static const struct {
		const char *text;
		size_t size;
	} good[] = {
		{"0", 0},
		{"4096", 4096},
		{"64K", 65536},
		{"64k", 65536},
		{"2M", 2097152},
		{"2m", 2097152},
		{"3M", 3145728},
		{"1G", 1073741824},
		{"0M", 0},
		{"1t", 1ull << 40},
		{"16777215T", 16777215ull << 40},
	};
	size_t size;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_int_eq(hp_size_parse(good[i].text, &size), 0);
		ck_assert_uint_eq(size, good[i].size);
	}
}
END_TEST

START_TEST(anything_around_a_size_is_an_error)
{
	static const char *const bad[] = {"",
					  " 2M",
					  "2M ",
					  "2 M",
					  "2MB",
					  "2MiB",
					  "M",
					  "-1",
					  "+2M",
					  "2P",
					  "0x10",
					  "2.5M",
					  "\xe2\x80\x9c"
					  "2M\xe2\x80\x9d",
					  "1G,",
					  "2M\n"};
	size_t size = 7;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_int_eq(hp_size_parse(bad[i], &size), -EINVAL);
	ck_assert_int_eq(hp_size_parse("16777216T", &size), -ERANGE);
	ck_assert_int_eq(hp_size_parse("99999999999999999999G", &size),
			 -ERANGE);
	ck_assert_uint_eq(size, 7);
}
END_TEST

START_TEST(formatted_sizes_use_the_largest_whole_unit)
{
	char buf[HP_SIZE_TEXT];

	ck_assert_str_eq(hp_size_format(0, buf), "0");
	ck_assert_str_eq(hp_size_format(1023, buf), "1023");
	ck_assert_str_eq(hp_size_format(1536, buf), "1536");
	ck_assert_str_eq(hp_size_format(65536, buf), "64K");
	ck_assert_str_eq(hp_size_format(2097152, buf), "2M");
	ck_assert_str_eq(hp_size_format(17179869184, buf), "16G");
	ck_assert_str_eq(hp_size_format((size_t)1 << 63, buf), "8388608T");
	ck_assert_str_eq(hp_size_format(SIZE_MAX, buf), "18446744073709551615");
}
END_TEST

START_TEST(base_is_what_follows_the_last_slash)
{
	ck_assert_str_eq(hp_text_base("/usr/bin/true"), "true");
	ck_assert_str_eq(hp_text_base("true"), "true");
	ck_assert_str_eq(hp_text_base("/usr/"), "");
	ck_assert_str_eq(hp_text_base(""), "");
}
END_TEST

static Suite *text_suite(void)
{
	Suite *suite = suite_create("text");
	TCase *tcase = tcase_create("numbers");

	tcase_add_test(tcase, number_ends_at_the_first_other_character);
	tcase_add_test(tcase, largest_number_fits_and_the_next_does_not);
	tcase_add_test(tcase, blanks_and_signs_are_no_numbers);
	tcase_add_test(tcase, field_is_found_by_its_whole_name);
	tcase_add_test(tcase, field_inside_a_line_does_not_deceive);
	tcase_add_test(tcase, field_without_a_number_is_an_error_not_zero);
	tcase_add_test(tcase, appended_text_is_cut_at_the_end_of_the_buffer);
	tcase_add_test(tcase, base_is_what_follows_the_last_slash);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("sizes");
	tcase_add_test(tcase, sizes_are_powers_of_1024_in_either_case);
	tcase_add_test(tcase, anything_around_a_size_is_an_error);
	tcase_add_test(tcase, formatted_sizes_use_the_largest_whole_unit);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(text_suite());
}
