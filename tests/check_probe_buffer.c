/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libhp/hp.h"
#include "probe/buffer.h"
#include "tests/suite.h"

static struct hp_pagesizes sizes;
static char why[128];

static void setup(void)
{
	hp_pagesizes_read(&sizes);
	why[0] = '\0';
}

static struct hp_kind kind_called(const char *name)
{
	char bad[HP_KIND_BAD_NAME];
	struct hp_kinds kinds;

	ck_assert_int_eq(hp_kinds_parse(&kinds, name, &sizes, bad), 0);
	return kinds.kind[0];
}

static struct hp_probe_backing answer(const struct hp_buffer *buffer)
{
	struct hp_probe_backing backing;

	hp_buffer_verify(buffer, &backing, why, sizeof(why));
	return backing;
}

/* Without PAGEMAP_SCAN and smaps nothing can be proven, nor tested. */
static bool kernel_answers(const struct hp_buffer *buffer)
{
	return answer(buffer).huge_bytes != UINT64_MAX;
}

static struct hp_buffer open_base(size_t len)
{
	struct hp_kind base = kind_called("base");
	struct hp_buffer buffer;

	ck_assert_int_eq(hp_buffer_map(&buffer, &base, len, why, sizeof(why)),
			 0);
	ck_assert_int_eq(hp_buffer_populate(&buffer, NULL), 0);
	return buffer;
}

START_TEST(base_pages_are_never_huge)
{
	struct hp_buffer buffer = open_base(8 * HP_MIB);
	struct hp_probe_backing is = answer(&buffer);

	if (kernel_answers(&buffer)) {
		ck_assert_uint_eq(is.huge_bytes, 0);
		ck_assert_uint_eq(is.bytes, 8 * HP_MIB);
		ck_assert(is.verified);
		ck_assert_str_eq(why, "");
	}
	hp_buffer_close(&buffer);
}
END_TEST

START_TEST(untouched_memory_is_not_verified)
{
	struct hp_kind base = kind_called("base");
	struct hp_buffer buffer;

	ck_assert_int_eq(hp_buffer_map(&buffer, &base, HP_MIB, NULL, 0), 0);
	ck_assert(!answer(&buffer).verified);
	ck_assert_str_ne(why, "");
	hp_buffer_close(&buffer);
}
END_TEST

START_TEST(memory_given_back_is_not_verified)
{
	struct hp_buffer buffer = open_base(HP_MIB);

	ck_assert_int_eq(hp_buffer_recycle(&buffer), 0);
	ck_assert(!answer(&buffer).verified);
	ck_assert_int_eq(hp_buffer_populate(&buffer, NULL), 0);
	ck_assert(answer(&buffer).verified || !kernel_answers(&buffer));
	hp_buffer_close(&buffer);
}
END_TEST

/* A split after populating must be noticed when asked again. */
START_TEST(split_huge_pages_are_not_verified)
{
	struct hp_kind thp = kind_called("thp");
	struct hp_buffer buffer;
	size_t slot = hp_slot_size();

	if (hp_buffer_map(&buffer, &thp, 8 * slot, why, sizeof(why)))
		return; /* the next test looks at the reason */
	ck_assert_int_eq(hp_buffer_populate(&buffer, NULL), 0);
	if (answer(&buffer).verified) {
		char *middle = (char *)buffer.addr + 3 * slot + slot / 2;

		ck_assert_int_eq(mprotect(middle, sizes.base, PROT_READ), 0);
		ck_assert(!answer(&buffer).verified);
		ck_assert_ptr_nonnull(strstr(why, "are huge"));
	}
	hp_buffer_close(&buffer);
}
END_TEST

/* One byte of any kind, however large its page, can be used or not be had. */
START_TEST(a_kind_is_there_or_has_a_reason)
{
	struct hp_buffer buffer;
	struct hp_kinds kinds;
	char bad[HP_KIND_BAD_NAME];

	ck_assert_int_eq(hp_kinds_parse(&kinds, NULL, &sizes, bad), 0);
	for (size_t i = 0; i < kinds.n; i++) {
		why[0] = '\0';
		if (hp_buffer_map(&buffer, &kinds.kind[i], 1, why,
				  sizeof(why))) {
			ck_assert_str_ne(why, "");
			continue;
		}
		ck_assert_int_eq(hp_buffer_populate(&buffer, NULL), 0);
		ck_assert_int_eq(*(char *)buffer.addr, 0);
		hp_buffer_close(&buffer);
	}
}
END_TEST

START_TEST(impossible_sizes_are_refused)
{
	struct hp_kind base = kind_called("base");
	struct hp_buffer buffer = {.len = 77};

	ck_assert_int_eq(hp_buffer_map(&buffer, &base, 0, why, sizeof(why)),
			 -ENOMEM);
	ck_assert_int_eq(hp_buffer_map(&buffer, &base, (size_t)10 << 40, why,
				       sizeof(why)),
			 -ENOMEM);
	ck_assert_ptr_nonnull(strstr(why, "10995116277760 bytes"));
	ck_assert_int_eq(
		hp_buffer_map(&buffer, &base, SIZE_MAX, why, sizeof(why)),
		-ENOMEM);
	ck_assert_uint_eq(buffer.len, 77);
}
END_TEST

START_TEST(populating_can_be_stopped)
{
	struct hp_kind base = kind_called("base");
	struct hp_buffer buffer;
	volatile int stop = 1;

	ck_assert_int_eq(hp_buffer_map(&buffer, &base, HP_MIB, NULL, 0), 0);
	ck_assert_int_eq(hp_buffer_populate(&buffer, &stop), -EINTR);
	hp_buffer_close(&buffer);
}
END_TEST

static Suite *buffer_suite(void)
{
	Suite *suite = suite_create("buffer");
	TCase *tcase = tcase_create("buffer");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, base_pages_are_never_huge);
	tcase_add_test(tcase, untouched_memory_is_not_verified);
	tcase_add_test(tcase, memory_given_back_is_not_verified);
	tcase_add_test(tcase, split_huge_pages_are_not_verified);
	tcase_add_test(tcase, a_kind_is_there_or_has_a_reason);
	tcase_add_test(tcase, impossible_sizes_are_refused);
	tcase_add_test(tcase, populating_can_be_stopped);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(buffer_suite());
}
