/* SPDX-License-Identifier: MIT */
#include "tests/memory.h"

#include "libhp/backing.h"

static struct hp_backing ask(const void *p, size_t len)
{
	struct hp_backing b = {1, 1, 1, 1, HP_SOURCE_NONE};

	ck_assert_int_eq(hp_backing_query(p, len, &b), 0);
	ck_assert_int_eq(b.source, HP_SOURCE_PAGEMAP_SCAN);
	ck_assert_uint_eq(b.unknown, 0);
	return b;
}

static void expect(const void *p, size_t len, uint64_t present, uint64_t huge)
{
	struct hp_backing b = ask(p, len);

	ck_assert_uint_eq(b.present, present);
	ck_assert_uint_eq(b.huge, huge);
	ck_assert_uint_eq(b.hugetlb, 0);
}

START_TEST(untouched_memory_is_not_present)
{
	char *p = map_slots(4, PROT_READ | PROT_WRITE, MADV_HUGEPAGE);

	expect(p, 4 * hp_slot_size(), 0, 0);
}
END_TEST

START_TEST(small_pages_are_present_and_not_huge)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = map_slots(2, PROT_READ | PROT_WRITE, MADV_NOHUGEPAGE);

	p[0] = p[3 * page] = p[slot] = 1;
	expect(p, 2 * slot, 3 * page, 0);
	expect(p + page, slot, 2 * page, 0);
}
END_TEST

START_TEST(thp_is_huge)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = huge_slots(3);

	expect(p, 3 * slot, 3 * slot, 3 * slot);
	expect(p + page, slot, slot, slot);
}
END_TEST

START_TEST(ranges_are_rounded_out_to_pages)
{
	size_t page = hp_linux_page_size();
	char *p = small_slots(1);

	expect(p + 100, 1, page, 0);
	expect(p + page - 1, 2, 2 * page, 0);
	expect(p + 100, 0, 0, 0);
}
END_TEST

START_TEST(split_pmd_is_not_huge)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = huge_slots(2);

	ck_assert_int_eq(mprotect(p, page, PROT_READ), 0);
	expect(p, 2 * slot, 2 * slot, slot);
}
END_TEST

START_TEST(slot_with_a_page_given_back_is_not_huge)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = huge_slots(2);

	ck_assert_int_eq(madvise(p + page, page, MADV_DONTNEED), 0);
	expect(p, 2 * slot, 2 * slot - page, slot);
}
END_TEST

START_TEST(slot_with_a_page_unmapped_is_not_huge)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = huge_slots(2);

	ck_assert_int_eq(munmap(p + slot, page), 0);
	expect(p, 2 * slot, 2 * slot - page, slot);
}
END_TEST

/* a read fault on advised memory maps it where use_zero_page is 1 */
START_TEST(zero_page_is_not_present)
{
	size_t slot = hp_slot_size();
	char *p = map_slots(2, PROT_READ | PROT_WRITE, MADV_HUGEPAGE);
	volatile char *v = p;
	char *q = map_slots(1, PROT_READ | PROT_WRITE, MADV_NOHUGEPAGE);
	volatile char *w = q;

	(void)v[0];
	(void)v[slot];
	expect(p, 2 * slot, 0, 0);
	(void)w[0];
	expect(q, slot, 0, 0);
}
END_TEST

START_TEST(holes_are_not_present)
{
	size_t slot = hp_slot_size();
	char *p = small_slots(3);

	ck_assert_int_eq(munmap(p + slot, slot), 0);
	expect(p, 3 * slot, 2 * slot, 0);
}
END_TEST

START_TEST(reserved_address_space_is_not_present)
{
	size_t slot = hp_slot_size();
	char *p = map_slots(3, PROT_NONE, 0);

	ck_assert_int_eq(mprotect(p + slot, slot, PROT_READ | PROT_WRITE), 0);
	memset(p + slot, 1, slot);
	expect(p, slot, 0, 0);
	expect(p + 2 * slot, slot, 0, 0);
	ck_assert_uint_eq(ask(p, 3 * slot).present, slot);
}
END_TEST

static int temporary_file(size_t len)
{
	char path[] = "/tmp/libhp-backing-XXXXXX";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	unlink(path);
	ck_assert_int_eq(ftruncate(fd, (off_t)len), 0);
	return fd;
}

START_TEST(file_pages_are_present)
{
	size_t page = hp_linux_page_size();
	int fd = temporary_file(8 * page);
	char *p =
		mmap(NULL, 8 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	expect(p, 8 * page, 0, 0);
	memset(p, 1, 8 * page);
	expect(p, 8 * page, 8 * page, 0);
}
END_TEST

START_TEST(memfd_pages_are_present)
{
	size_t page = hp_linux_page_size();
	int fd = memfd_create("libhp-test", MFD_CLOEXEC);
	char *p;

	ck_assert_int_eq(ftruncate(fd, (off_t)(4 * page)), 0);
	p = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ck_assert_ptr_ne(p, MAP_FAILED);
	p[0] = 1;
	expect(p, 4 * page, page, 0);
}
END_TEST

START_TEST(more_stretches_than_one_call_returns)
{
	size_t page = hp_linux_page_size(), n = 1000;
	char *p = mmap(NULL, 2 * n * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	madvise(p, 2 * n * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < n; i++)
		p[2 * i * page] = 1;
	expect(p, 2 * n * page, n * page, 0);
}
END_TEST

START_TEST(range_that_wraps_is_refused)
{
	struct hp_backing b;

	ck_assert_int_eq(hp_backing_query((void *)4096, SIZE_MAX, &b), -EINVAL);
	ck_assert_int_eq(hp_backing_query((void *)(UINTPTR_MAX - 10), 5, &b),
			 -EINVAL);
}
END_TEST

START_TEST(the_whole_address_space_may_be_asked)
{
	struct hp_backing b;
	char *p = small_slots(1);

	ck_assert_int_eq(hp_backing_query(NULL, UINTPTR_MAX / 2, &b), 0);
	ck_assert_uint_ge(b.present, hp_slot_size());
	munmap(p, hp_slot_size());
}
END_TEST

START_TEST(thp_is_no_hugetlb)
{
	char *p = huge_slots(2);
	uint64_t bytes = 1;

	ck_assert_int_eq(hp_backing_hugetlb((uintptr_t)p,
					    (uintptr_t)p + 2 * hp_slot_size(),
					    &bytes),
			 0);
	ck_assert_uint_eq(bytes, 0);
}
END_TEST

START_TEST(smaps_agrees_on_whole_mappings)
{
	size_t slot = hp_slot_size(), len = 3 * slot;
	char *p = huge_slots(3);
	struct hp_backing b = {0};

	/* its own name keeps it from being one mapping with a neighbour */
	if (hp_linux_name(p, len, "libhp-test"))
		return;
	ck_assert_int_eq(hp_backing_smaps((uintptr_t)p, (uintptr_t)p + len, &b),
			 0);
	ck_assert_int_eq(b.source, HP_SOURCE_SMAPS);
	ck_assert_uint_eq(b.present, len);
	ck_assert_uint_eq(b.huge, len);
	ck_assert_uint_eq(b.unknown, 0);
}
END_TEST

static Suite *backing_suite(bool thp)
{
	Suite *suite = suite_create("backing");
	TCase *tcase = tcase_create("any machine");

	tcase_add_test(tcase, untouched_memory_is_not_present);
	tcase_add_test(tcase, small_pages_are_present_and_not_huge);
	tcase_add_test(tcase, ranges_are_rounded_out_to_pages);
	tcase_add_test(tcase, zero_page_is_not_present);
	tcase_add_test(tcase, holes_are_not_present);
	tcase_add_test(tcase, reserved_address_space_is_not_present);
	tcase_add_test(tcase, file_pages_are_present);
	tcase_add_test(tcase, memfd_pages_are_present);
	tcase_add_test(tcase, more_stretches_than_one_call_returns);
	tcase_add_test(tcase, range_that_wraps_is_refused);
	tcase_add_test(tcase, the_whole_address_space_may_be_asked);
	suite_add_tcase(suite, tcase);
	if (!thp)
		return suite;
	tcase = tcase_create("with THP");
	tcase_add_test(tcase, thp_is_huge);
	tcase_add_test(tcase, split_pmd_is_not_huge);
	tcase_add_test(tcase, slot_with_a_page_given_back_is_not_huge);
	tcase_add_test(tcase, slot_with_a_page_unmapped_is_not_huge);
	tcase_add_test(tcase, thp_is_no_hugetlb);
	tcase_add_test(tcase, smaps_agrees_on_whole_mappings);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	bool thp = have_collapse();

	if (!have_scan()) {
		puts("SKIP: needs PAGEMAP_SCAN (Linux 6.7)");
		return 77;
	}
	if (!thp)
		puts("the kernel gives no THP: cases with THP left out");
	return run_suite(backing_suite(thp));
}
