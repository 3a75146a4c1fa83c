/* SPDX-License-Identifier: MIT */
/*
 * check_sites_form.c - call stacks in the report, where little is known
 */
#include "tests/memory.h"

#include "libhp/sites_form.h"
#include "libhp/sites_sum.h"

static char text[1 << 12];

static void print_json(void)
{
	int fd = memfd_create("json", MFD_CLOEXEC);
	struct hp_out out;
	struct hp_json json = {.out = &out};
	ssize_t n;

	hp_out_open(&out, fd);
	hp_sites_put_json(&json);
	ck_assert_int_eq(hp_out_close(&out), 0);
	n = pread(fd, text, sizeof(text) - 1, 0);
	ck_assert_int_gt(n, 0);
	text[n] = '\0';
	close(fd);
}

/* nothing can be asked about the kernel's own half of addresses */
START_TEST(what_the_kernel_did_not_tell_is_null)
{
	const uintptr_t start = (uintptr_t)1 << 63;
	const char *const nulls[] = {"bytes", "huge_bytes", "slots",
				     "bloat_bytes", "reasons"};
	struct hp_pagesizes ps = {.pmd = hp_slot_size()};
	const uintptr_t pcs[] = {1, 2};
	char wanted[32];

	if (!have_scan())
		return; /* older ones say that nothing is mapped there */
	ck_assert_int_eq(hp_sites_tables(), 0);
	ck_assert_int_eq(hp_sites_sums(), 0);
	hp_sites_map_set(start, start + ps.pmd, hp_sites_stack(pcs, 2));
	hp_sites_collect(&ps);
	ck_assert(hp_sites_collected()->blind);
	print_json();
	for (size_t i = 0; i < HP_ARRAY_SIZE(nulls); i++) {
		snprintf(wanted, sizeof(wanted), "\"%s\": null", nulls[i]);
		ck_assert_msg(strstr(text, wanted), "no %s in %s", wanted,
			      text);
	}
	snprintf(wanted, sizeof(wanted), "\"asked_bytes\": %zu", ps.pmd);
	ck_assert_ptr_nonnull(strstr(text, wanted));
}
END_TEST

static Suite *form_suite(void)
{
	Suite *suite = suite_create("sites form");
	TCase *tcase = tcase_create("form");

	tcase_add_test(tcase, what_the_kernel_did_not_tell_is_null);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(form_suite());
}
