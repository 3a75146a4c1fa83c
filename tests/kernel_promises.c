/* SPDX-License-Identifier: MIT */
/*
 * kernel_promises.c - what libhp relies on the kernel for
 *
 * No code of libhp's is judged here. A failure means that a kernel is not as
 * its documentation and source were read, and names what to look at again.
 */
#include "tests/memory.h"

#include <sys/prctl.h>
#include <sys/wait.h>

static size_t slot, page;

/* what PAGEMAP_SCAN says of a range that is of one kind; 0 if not present */
static uint64_t scan(const char *p, size_t len)
{
	const struct hp_scan_want want = {
		.all = HP_SCAN_PRESENT,
		.report = HP_SCAN_HUGE | HP_SCAN_ZERO | HP_SCAN_PRESENT,
	};
	struct hp_scan_range r[4] = {0};
	uint64_t walked, start = (uintptr_t)p;
	int fd = hp_linux_open("/proc/self/pagemap", O_RDONLY, 0);
	int n = hp_linux_scan(fd, start, start + len, &want, r, 4, &walked);

	hp_linux_close(fd);
	ck_assert_int_ge(n, 0);
	ck_assert_int_le(n, 1);
	ck_assert_uint_eq(walked, start + len);
	if (n == 1) {
		ck_assert_uint_eq(r[0].start, start);
		ck_assert_uint_eq(r[0].end, start + len);
	}
	return r[0].categories;
}

START_TEST(collapse_of_no_bytes_tells_whether_it_exists)
{
	char *p = map_slots(1, PROT_READ | PROT_WRITE, 0);

	ck_assert_int_eq(hp_linux_collapse(p, 0), 0);
	ck_assert_int_eq(hp_linux_advise(p, 0, 12345), -EINVAL);
}
END_TEST

START_TEST(collapse_refuses_untouched_and_unadvised)
{
	char *p = map_slots(1, PROT_READ | PROT_WRITE, MADV_HUGEPAGE);

	ck_assert_int_eq(hp_linux_collapse(p, slot), -EINVAL);
	ck_assert_int_eq(hp_linux_collapse(p + page, slot), -EINVAL);
	p[0] = 1;
	madvise(p, slot, MADV_NOHUGEPAGE);
	ck_assert_int_eq(hp_linux_collapse(p, slot), -EINVAL);
}
END_TEST

START_TEST(collapse_needs_one_page_and_keeps_content)
{
	char *p = map_slots(1, PROT_READ | PROT_WRITE, 0);

	p[5 * page] = 42;
	ck_assert(collapse_slot(p));
	ck_assert_uint_eq(scan(p, slot), HP_SCAN_PRESENT | HP_SCAN_HUGE);
	ck_assert_int_eq(p[5 * page], 42);
	ck_assert_int_eq(p[4 * page], 0);
}
END_TEST

START_TEST(advice_succeeds_where_prctl_forbids)
{
	char *p = map_slots(1, PROT_READ | PROT_WRITE, 0);

	ck_assert_int_eq(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
	ck_assert_int_eq(hp_linux_thp_disabled(), 1);
	ck_assert_int_eq(hp_linux_advise(p, slot, MADV_HUGEPAGE), 0);
	memset(p, 1, slot);
	ck_assert_uint_eq(scan(p, slot), HP_SCAN_PRESENT);
	ck_assert_int_eq(hp_linux_collapse(p, slot), -EINVAL);
}
END_TEST

START_TEST(prctl_is_inherited_by_children)
{
	pid_t child;
	int status;

	ck_assert_int_eq(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
	child = fork();
	if (child == 0)
		_exit(hp_linux_thp_disabled());
	waitpid(child, &status, 0);
	ck_assert_int_eq(WEXITSTATUS(status), 1);
}
END_TEST

START_TEST(scan_cuts_huge_pages_to_the_range)
{
	char *p = huge_slots(2);

	ck_assert_uint_eq(scan(p, 2 * slot), HP_SCAN_PRESENT | HP_SCAN_HUGE);
	ck_assert_uint_eq(scan(p + page, 3 * page),
			  HP_SCAN_PRESENT | HP_SCAN_HUGE);
	ck_assert_uint_eq(scan(p + slot - page, 2 * page),
			  HP_SCAN_PRESENT | HP_SCAN_HUGE);
}
END_TEST

START_TEST(scan_sees_a_split_at_once)
{
	char *p = huge_slots(1);

	ck_assert_int_eq(madvise(p, page, MADV_DONTNEED), 0);
	ck_assert_uint_eq(scan(p, page), 0);
	ck_assert_uint_eq(scan(p + page, slot - page), HP_SCAN_PRESENT);
}
END_TEST

START_TEST(scan_names_the_zero_page)
{
	char *p = map_slots(1, PROT_READ | PROT_WRITE, MADV_NOHUGEPAGE);
	volatile char *v = p;

	(void)v[0];
	ck_assert_uint_eq(scan(p, page), HP_SCAN_PRESENT | HP_SCAN_ZERO);
}
END_TEST

/* only where advised memory gets THP at all */
START_TEST(scan_names_the_huge_zero_page)
{
	const char *dir = "/sys/kernel/mm/transparent_hugepage/";
	char path[96];
	char *p = map_slots(1, PROT_READ | PROT_WRITE, MADV_HUGEPAGE);
	volatile char *v = p;

	snprintf(path, sizeof(path), "%senabled", dir);
	if (file_says(path, "[never]"))
		return;
	snprintf(path, sizeof(path), "%suse_zero_page", dir);
	if (!file_says(path, "1"))
		return;
	(void)v[0];
	ck_assert_uint_eq(scan(p, slot),
			  HP_SCAN_PRESENT | HP_SCAN_ZERO | HP_SCAN_HUGE);
}
END_TEST

/* since Linux 5.8; what is left huge after a fork is to be asked again */
START_TEST(copy_on_write_of_thp_copies_small_pages)
{
	char *p = huge_slots(1);
	pid_t child = fork();
	int status;

	if (child == 0) {
		p[0] = 2;
		_exit(scan(p, page) == HP_SCAN_PRESENT ? 0 : 1);
	}
	waitpid(child, &status, 0);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_eq(scan(p, slot), HP_SCAN_PRESENT | HP_SCAN_HUGE);
}
END_TEST

START_TEST(populate_says_what_a_touch_would_do)
{
	char *p = map_slots(2, PROT_READ | PROT_WRITE, 0);

	ck_assert_int_eq(hp_linux_populate(p, 2 * slot), 0);
	ck_assert_int_eq(mprotect(p, slot, PROT_READ), 0);
	ck_assert_int_lt(hp_linux_populate(p, 2 * slot), 0);
	ck_assert_int_eq(munmap(p, slot), 0);
	ck_assert_int_eq(hp_linux_populate(p, 2 * slot), -ENOMEM);
}
END_TEST

START_TEST(query_finds_the_mapping_or_the_next)
{
	int maps = hp_linux_open("/proc/self/maps", O_RDONLY, 0);
	char *p = map_slots(3, PROT_READ | PROT_WRITE, 0);
	struct hp_vma vma;

	if (hp_linux_vma(maps, (uintptr_t)p, &vma) == -ENOTTY)
		return; /* before Linux 6.11 */
	munmap(p, slot);
	mprotect(p + 2 * slot, slot, PROT_READ);
	ck_assert_int_eq(hp_linux_vma(maps, (uintptr_t)p, &vma), 0);
	ck_assert_uint_eq(vma.start, (uintptr_t)p + slot);
	ck_assert_uint_eq(vma.end, (uintptr_t)p + 2 * slot);
	ck_assert_uint_eq(vma.page_size, page);
	ck_assert_int_eq(hp_linux_vma(maps, (uintptr_t)1 << 62, &vma), -ENOENT);
}
END_TEST

START_TEST(named_mappings_do_not_merge)
{
	int maps = hp_linux_open("/proc/self/maps", O_RDONLY, 0);
	char *p = map_slots(2, PROT_READ | PROT_WRITE, 0);
	struct hp_vma vma;

	if (hp_linux_name(p, slot, "one") ||
	    hp_linux_vma(maps, (uintptr_t)p, &vma))
		return; /* not compiled in */
	ck_assert_int_eq(hp_linux_name(p + slot, slot, "two"), 0);
	ck_assert_int_eq(hp_linux_vma(maps, (uintptr_t)p, &vma), 0);
	ck_assert_uint_eq(vma.end, (uintptr_t)p + slot);
}
END_TEST

START_TEST(files_in_memory_can_be_collapsed)
{
	int fd = memfd_create("libhp-test", MFD_CLOEXEC);
	char *p = map_slots(1, PROT_NONE, 0);

	ck_assert_int_eq(ftruncate(fd, (off_t)slot), 0);
	ck_assert_ptr_eq(mmap(p, slot, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_FIXED, fd, 0),
			 p);
	memset(p, 7, slot);
	if (!collapse_slot(p))
		return; /* built without THP in shmem */
	ck_assert_uint_eq(scan(p, slot) & HP_SCAN_HUGE, HP_SCAN_HUGE);
	ck_assert_int_eq(p[slot - 1], 7);
}
END_TEST

static Suite *promises_suite(void)
{
	Suite *suite = suite_create("kernel promises");
	TCase *tcase = tcase_create("THP");

	tcase_add_test(tcase, collapse_of_no_bytes_tells_whether_it_exists);
	tcase_add_test(tcase, collapse_refuses_untouched_and_unadvised);
	tcase_add_test(tcase, collapse_needs_one_page_and_keeps_content);
	tcase_add_test(tcase, advice_succeeds_where_prctl_forbids);
	tcase_add_test(tcase, prctl_is_inherited_by_children);
	tcase_add_test(tcase, copy_on_write_of_thp_copies_small_pages);
	tcase_add_test(tcase, files_in_memory_can_be_collapsed);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("asking");
	tcase_add_test(tcase, scan_cuts_huge_pages_to_the_range);
	tcase_add_test(tcase, scan_sees_a_split_at_once);
	tcase_add_test(tcase, scan_names_the_zero_page);
	tcase_add_test(tcase, scan_names_the_huge_zero_page);
	tcase_add_test(tcase, populate_says_what_a_touch_would_do);
	tcase_add_test(tcase, query_finds_the_mapping_or_the_next);
	tcase_add_test(tcase, named_mappings_do_not_merge);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	slot = hp_slot_size();
	page = hp_linux_page_size();
	if (!have_collapse() || !have_scan()) {
		puts("SKIP: needs MADV_COLLAPSE (Linux 6.1, THP not disabled) "
		     "and PAGEMAP_SCAN (Linux 6.7)");
		return 77;
	}
	return run_suite(promises_suite());
}
