/* SPDX-License-Identifier: MIT */
#include "tests/memory.h"

#include <sys/wait.h>

#include "libhp/backing.h"
#include "tests/old_kernel.h"

/* the way the kernel is asked in these tests */
static enum hp_source source;

static void new_kernel(void)
{
	source = HP_SOURCE_PAGEMAP_SCAN;
}

static void kernel_before_6_7(void)
{
	old_kernel();
	source = HP_SOURCE_PAGEMAP;
}

static struct hp_backing ask(const void *p, size_t len)
{
	struct hp_backing b = {1, 1, 1, 1, HP_SOURCE_NONE};

	ck_assert_int_eq(hp_backing_query(p, len, &b), 0);
	ck_assert_int_eq(b.source, source);
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

/* what PAGEMAP_SCAN says of as odd a mixture as there is */
static void make_mixture(char *p, size_t slots)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();

	for (size_t i = 0; i < slots; i++) {
		char *at = p + i * slot;

		switch (i % 5) {
		case 0:
			ck_assert(collapse_slot(at));
			break;
		case 1:
			madvise(at + i * page, 3 * page, MADV_DONTNEED);
			break;
		case 2:
			madvise(at, slot, MADV_DONTNEED);
			at[page] = 1;
			break;
		case 3:
			madvise(at, slot, MADV_DONTNEED);
			(void)*(volatile char *)(at + 2 * page);
			break;
		default:
			madvise(at + page, slot - page, MADV_DONTNEED);
			(void)*(volatile char *)(at + 2 * page);
		}
	}
}

struct picture {
	uint64_t hash;
	bool unsure;
};

static void draw(const struct hp_extent *e, void *arg)
{
	struct picture *p = arg;
	uint64_t page = hp_linux_page_size();

	p->unsure = p->unsure || e->unsure;
	for (uint64_t at = e->start; at < e->end; at += page)
		p->hash = (p->hash ^ (at + e->huge)) * 0x100000001b3;
}

static struct picture picture_of(struct hp_backing_view *view, const char *p,
				 size_t len)
{
	struct picture picture = {0};

	ck_assert_int_eq(hp_backing_scan(view, (uintptr_t)p, (uintptr_t)p + len,
					 draw, &picture),
			 0);
	return picture;
}

static struct picture ask_anew(const char *p, size_t len, bool scans)
{
	struct hp_backing_view view;
	struct picture picture;

	ck_assert_int_eq(hp_backing_open(&view), 0);
	ck_assert(view.scans == scans);
	picture = picture_of(&view, p, len);
	hp_backing_close(&view);
	return picture;
}

START_TEST(both_ways_see_the_same)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = small_slots(12);
	struct picture new_way, old_way;

	madvise(p, 12 * slot, MADV_HUGEPAGE);
	make_mixture(p, 12);
	new_way = ask_anew(p + page, 11 * slot, true);
	old_kernel();
	old_way = ask_anew(p + page, 11 * slot, false);
	ck_assert(!old_way.unsure);
	ck_assert_uint_eq(old_way.hash, new_way.hash);
}
END_TEST

/* four slots: small, huge, huge, half there; no neighbour is joined to them */
static char *full_slots_of_both_kinds(void)
{
	size_t slot = hp_slot_size();
	char *p = small_slots(6) + slot;

	madvise(p, 4 * slot, MADV_HUGEPAGE);
	ck_assert(collapse_slot(p + slot) && collapse_slot(p + 2 * slot));
	madvise(p + 3 * slot, slot / 2, MADV_DONTNEED);
	return p;
}

/* full slots, some huge: smaps has but their number */
START_TEST(what_smaps_leaves_open_is_unknown)
{
	size_t slot = hp_slot_size();
	char *p = full_slots_of_both_kinds();
	struct hp_backing b;

	ck_assert_int_eq(hp_backing_query(p, slot, &b), 0);
	ck_assert_int_eq(b.source, HP_SOURCE_PAGEMAP);
	ck_assert_uint_eq(b.unknown, slot);
	ck_assert_uint_eq(b.present, 0);
	/* one of these two is huge at least */
	ck_assert_int_eq(hp_backing_query(p, 2 * slot, &b), 0);
	ck_assert_uint_eq(b.unknown, slot);
	ck_assert_uint_eq(b.present, slot);
	ck_assert_uint_eq(b.huge, slot);
	ck_assert_int_eq(hp_backing_query(p, 4 * slot, &b), 0);
	ck_assert_uint_eq(b.unknown, 0);
	ck_assert_uint_eq(b.present, 3 * slot + slot / 2);
	ck_assert_uint_eq(b.huge, 2 * slot);
}
END_TEST

static void take_last(const struct hp_extent *e, void *arg)
{
	*(struct hp_extent *)arg = *e;
}

START_TEST(belief_is_confirmed_by_the_number)
{
	size_t slot = hp_slot_size();
	uint64_t at = (uintptr_t)full_slots_of_both_kinds();
	struct hp_backing_view view;
	struct hp_extent e;

	ck_assert_int_eq(hp_backing_open(&view), 0);
	hp_backing_believe(&view, at + slot);
	ck_assert_int_eq(hp_backing_scan(&view, at, at + slot, take_last, &e),
			 0);
	ck_assert(e.unsure && !e.confirmed);
	hp_backing_believe(&view, at + 2 * slot);
	ck_assert_int_eq(hp_backing_scan(&view, at, at + slot, take_last, &e),
			 0);
	ck_assert(e.unsure && e.confirmed);
	hp_backing_close(&view);
}
END_TEST

/* in a child of fork all pages may be others', as the zero page is */
START_TEST(a_child_sees_what_it_shares)
{
	size_t slot = hp_slot_size();
	char *p = huge_slots(2);
	int status;
	pid_t pid;

	madvise(p + slot, slot / 2, MADV_DONTNEED);
	pid = fork();
	if (pid == 0) {
		struct hp_backing b;

		_exit(hp_backing_query(p, 2 * slot, &b) || b.unknown ||
		      b.huge != slot || b.present != slot + slot / 2);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

static TCase *new_case(Suite *suite, const char *name, void (*kernel)(void))
{
	TCase *tcase = tcase_create(name);

	tcase_add_checked_fixture(tcase, kernel, NULL);
	suite_add_tcase(suite, tcase);
	return tcase;
}

static void add_tests(TCase *tcase)
{
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
}

static void add_thp_tests(TCase *tcase)
{
	tcase_add_test(tcase, thp_is_huge);
	tcase_add_test(tcase, split_pmd_is_not_huge);
	tcase_add_test(tcase, slot_with_a_page_given_back_is_not_huge);
	tcase_add_test(tcase, slot_with_a_page_unmapped_is_not_huge);
	tcase_add_test(tcase, thp_is_no_hugetlb);
	tcase_add_test(tcase, smaps_agrees_on_whole_mappings);
	tcase_add_test(tcase, a_child_sees_what_it_shares);
}

static Suite *backing_suite(bool thp, bool scan)
{
	Suite *suite = suite_create("backing");
	TCase *older = new_case(suite, "before Linux 6.7", kernel_before_6_7);
	TCase *newer;

	add_tests(older);
	if (thp) {
		add_thp_tests(older);
		tcase_add_test(older, what_smaps_leaves_open_is_unknown);
		tcase_add_test(older, belief_is_confirmed_by_the_number);
	}
	if (!scan)
		return suite;
	newer = new_case(suite, "PAGEMAP_SCAN", new_kernel);
	add_tests(newer);
	if (thp) {
		add_thp_tests(newer);
		tcase_add_test(newer, both_ways_see_the_same);
	}
	return suite;
}

int main(void)
{
	bool thp = have_collapse(), scan = have_scan();

	if (!scan)
		puts("no PAGEMAP_SCAN (Linux 6.7): cases with it left out");
	if (!thp)
		puts("the kernel gives no THP: cases with THP left out");
	return run_suite(backing_suite(thp, scan));
}
