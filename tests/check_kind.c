/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "probe/kind.h"
#include "probe/words.h"
#include "tests/suite.h"

/* An arm64 machine: four hugetlb sizes, two mTHP sizes of which one is on. */
static const struct hp_pagesizes machine = {
	.base = 4096,
	.pmd = 2 * HP_MIB,
	.thp = HP_THP_MADVISE,
	.npools = 4,
	.pools = {{.size = HP_GIB},
		  {.size = 32 * HP_MIB},
		  {.size = 2 * HP_MIB},
		  {.size = 64 * HP_KIB}},
	.nmthp = 2,
	.mthp = {{64 * HP_KIB, HP_THP_INHERIT}, {16384, HP_THP_NEVER}},
};

static struct hp_kinds parsed;
static char bad[HP_KIND_BAD_NAME];

static int parse(const char *list)
{
	return hp_kinds_parse(&parsed, list, &machine, bad);
}

START_TEST(takes_names_in_their_order)
{
	ck_assert_int_eq(parse("1G,4k,thp,64K,mthp:64K"), 0);
	ck_assert_uint_eq(parsed.n, 5);
	ck_assert_str_eq(parsed.kind[0].name, "1G");
	ck_assert_int_eq(parsed.kind[0].family, HP_KIND_HUGETLB);
	ck_assert_str_eq(parsed.kind[1].name, "4k");
	ck_assert_int_eq(parsed.kind[1].family, HP_KIND_BASE);
	ck_assert_uint_eq(parsed.kind[2].size, 2 * HP_MIB);
	ck_assert_int_eq(parsed.kind[3].family, HP_KIND_HUGETLB);
	ck_assert_int_eq(parsed.kind[4].family, HP_KIND_MTHP);
	ck_assert_str_eq(parsed.kind[4].name, "mthp:64K");
	ck_assert_str_eq(bad, "");
}
END_TEST

START_TEST(all_there_is_leaves_out_sizes_not_offered)
{
	ck_assert_int_eq(parse(NULL), 0);
	ck_assert_uint_eq(parsed.n, 7);
	ck_assert_str_eq(parsed.kind[0].name, "4k");
	ck_assert_str_eq(parsed.kind[1].name, "thp");
	ck_assert_str_eq(parsed.kind[2].name, "64K");
	ck_assert_str_eq(parsed.kind[5].name, "1G");
	ck_assert_str_eq(parsed.kind[6].name, "mthp:64K");
}
END_TEST

START_TEST(names_the_first_it_does_not_know)
{
	static const char *const lists[][2] = {
		{"", ""},
		{"4k,,thp", ""},
		{"4k,3M", "3M"},
		{"4k,4k", "4k"},
		{"THP", "THP"},
		{"4K", "4K"},
		{"mthp:32K", "mthp:32K"},
		{"thp,2M ,4k", "2M "},
		{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
	};

	for (size_t i = 0; i < HP_ARRAY_SIZE(lists); i++) {
		ck_assert_int_eq(parse(lists[i][0]), -EINVAL);
		ck_assert_str_eq(bad, lists[i][1]);
	}
}
END_TEST

START_TEST(base_page_is_named_by_its_size)
{
	struct hp_pagesizes large = machine;

	large.base = 64 * HP_KIB;
	ck_assert_int_eq(hp_kinds_parse(&parsed, "64k,64K", &large, bad), 0);
	ck_assert_int_eq(parsed.kind[0].family, HP_KIND_BASE);
	ck_assert_int_eq(parsed.kind[1].family, HP_KIND_HUGETLB);
	ck_assert_int_eq(hp_kinds_parse(&parsed, "base", &large, bad), 0);
	ck_assert_str_eq(parsed.kind[0].name, "64k");
	ck_assert_int_eq(hp_kinds_parse(&parsed, "4k", &large, bad), -EINVAL);
}
END_TEST

START_TEST(words_are_put_together_and_cut)
{
	char text[24];

	hp_words(text, sizeof(text), "%s: %llu of %u, %d", "a", 12ULL, 3u, -4);
	ck_assert_str_eq(text, "a: 12 of 3, -4");
	hp_words(text, 6, "%s", "truncated");
	ck_assert_str_eq(text, "trunc");
	hp_words(NULL, 0, "%s", "nowhere");
	hp_words(text, sizeof(text), "%s", "");
	ck_assert_str_eq(text, "");
}
END_TEST

static Suite *kind_suite(void)
{
	Suite *suite = suite_create("kind");
	TCase *tcase = tcase_create("kind");

	tcase_add_test(tcase, takes_names_in_their_order);
	tcase_add_test(tcase, all_there_is_leaves_out_sizes_not_offered);
	tcase_add_test(tcase, names_the_first_it_does_not_know);
	tcase_add_test(tcase, base_page_is_named_by_its_size);
	tcase_add_test(tcase, words_are_put_together_and_cut);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(kind_suite());
}
