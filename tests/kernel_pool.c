/* SPDX-License-Identifier: MIT */
/*
 * kernel_pool.c - what libhp relies on the kernel's hugetlb for
 *
 * Like kernel_promises.c; a system test, as it sets the size of the pool.
 */
#include "tests/pool.h"

#include <signal.h>
#include <sys/wait.h>

#define POOL 4

static size_t slot, page;

static int pool_flags(int more)
{
	return MAP_ANONYMOUS | MAP_HUGETLB | more |
	       (int)(hp_log2(slot) << MAP_HUGE_SHIFT);
}

static char *map_pages(size_t n, int more)
{
	char *p = mmap(NULL, n * slot, PROT_READ | PROT_WRITE, pool_flags(more),
		       -1, 0);

	ck_assert_ptr_ne(p, MAP_FAILED);
	return p;
}

START_TEST(mapping_reserves_and_refuses_in_time)
{
	char *p = map_pages(POOL, MAP_PRIVATE);

	ck_assert_uint_eq(pool_count("resv_hugepages"), POOL);
	ck_assert_ptr_eq(mmap(NULL, slot, PROT_READ | PROT_WRITE,
			      pool_flags(MAP_PRIVATE), -1, 0),
			 MAP_FAILED);
	ck_assert_int_eq(errno, ENOMEM);
	memset(p, 1, POOL * slot);
}
END_TEST

START_TEST(populate_fails_where_a_touch_would_kill)
{
	char *p = map_pages(POOL + 1, MAP_PRIVATE | MAP_NORESERVE);

	for (size_t i = 0; i < POOL; i++)
		ck_assert_int_eq(hp_linux_populate(p + i * slot, slot), 0);
	ck_assert_int_eq(hp_linux_populate(p + POOL * slot, slot), -EFAULT);
}
END_TEST

START_TEST(populated_pages_can_be_moved)
{
	char *p = map_pages(2, MAP_PRIVATE), *to = map_slots(2, PROT_NONE, 0);

	memset(p, 9, 2 * slot);
	ck_assert_ptr_eq(mremap(p, 2 * slot, 2 * slot,
				MREMAP_MAYMOVE | MREMAP_FIXED, to),
			 to);
	ck_assert_int_eq(to[2 * slot - 1], 9);
	ck_assert_uint_eq(pool_count("free_hugepages"), POOL - 2);
	ck_assert_int_eq(munmap(to, 2 * slot), 0);
	ck_assert_uint_eq(pool_count("free_hugepages"), POOL);
	ck_assert_uint_eq(pool_count("resv_hugepages"), 0);
}
END_TEST

/* the reservation goes with the mapping, also when it was moved */
START_TEST(owner_may_write_after_fork_though_the_pool_is_empty)
{
	char *p = map_pages(POOL, MAP_PRIVATE);
	char *to = map_slots(POOL, PROT_NONE, 0);
	int pipes[2], status;
	pid_t child;

	memset(p, 1, POOL * slot);
	p = mremap(p, POOL * slot, POOL * slot, MREMAP_MAYMOVE | MREMAP_FIXED,
		   to);
	ck_assert_ptr_eq(p, to);
	ck_assert_int_eq(pipe(pipes), 0);
	child = fork();
	if (child == 0) {
		char c;

		close(pipes[1]);
		signal(SIGBUS, SIG_DFL); /* sanitizers catch it */
		if (read(pipes[0], &c, 1) == 0)
			c = *(volatile char *)p;
		_exit(0);
	}
	memset(p, 2, POOL * slot);
	close(pipes[1]);
	waitpid(child, &status, 0);
	ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
	ck_assert_int_eq(p[0], 2);
}
END_TEST

START_TEST(cuts_inside_a_page_are_refused)
{
	char *p = map_pages(2, MAP_PRIVATE);

	ck_assert_int_eq(hp_linux_unmap(p, page), -EINVAL);
	ck_assert_int_eq(hp_linux_unmap(p + page, slot), -EINVAL);
	ck_assert_int_eq(hp_linux_protect(p, page, PROT_READ), -EINVAL);
	ck_assert_int_eq(hp_linux_advise(p, page, MADV_DONTFORK), -EINVAL);
	ck_assert_int_eq(hp_linux_advise(p + page, slot, MADV_DONTNEED),
			 -EINVAL);
}
END_TEST

START_TEST(giving_back_part_of_a_page_does_nothing)
{
	char *p = map_pages(1, MAP_PRIVATE);

	memset(p, 1, slot);
	ck_assert_int_eq(hp_linux_advise(p, page, MADV_DONTNEED), 0);
	ck_assert_int_eq(p[0], 1);
	ck_assert_int_eq(p[slot - 1], 1);
}
END_TEST

START_TEST(growing_in_place_is_refused)
{
	char *p = map_pages(1, MAP_PRIVATE);

	ck_assert(hp_linux_failed(
		hp_linux_remap(p, slot, 2 * slot, MREMAP_MAYMOVE, NULL)));
}
END_TEST

/* MADV_HUGEPAGE is not: Linux 6.18 accepts it, and nothing comes of it */
START_TEST(collapse_and_lazy_frees_are_refused)
{
	char *p = map_pages(1, MAP_PRIVATE);

	memset(p, 1, slot);
	ck_assert_int_eq(hp_linux_collapse(p, slot), -EINVAL);
	ck_assert_int_eq(hp_linux_advise(p, slot, MADV_FREE), -EINVAL);
	ck_assert_int_eq(hp_linux_advise(p, slot, MADV_WIPEONFORK), -EINVAL);
}
END_TEST

START_TEST(query_tells_the_size_and_neighbours_apart)
{
	int maps = hp_linux_open("/proc/self/maps", O_RDONLY, 0);
	char *p = map_slots(2, PROT_NONE, 0);
	struct hp_vma vma;

	for (size_t i = 0; i < 2; i++)
		ck_assert_ptr_eq(
			mmap(p + i * slot, slot, PROT_READ | PROT_WRITE,
			     pool_flags(MAP_PRIVATE | MAP_FIXED), -1, 0),
			p + i * slot);
	if (hp_linux_vma(maps, (uintptr_t)p, &vma) == -ENOTTY)
		return; /* before Linux 6.11 */
	ck_assert_uint_eq(vma.page_size, slot);
	ck_assert_uint_eq(vma.end, (uintptr_t)p + slot);
}
END_TEST

/* present memory = Rss + hugetlb would count it twice otherwise */
START_TEST(rss_does_not_contain_the_pool)
{
	struct hp_process_backing before, after;
	char *p = map_pages(POOL, MAP_PRIVATE);

	ck_assert_int_eq(hp_process_query(0, &before), 0);
	memset(p, 1, POOL * slot);
	ck_assert_int_eq(hp_process_query(0, &after), 0);
	ck_assert_uint_eq(after.hugetlb - before.hugetlb, POOL * slot);
	ck_assert_uint_lt((after.present - after.hugetlb) -
				  (before.present - before.hugetlb),
			  slot);
}
END_TEST

static Suite *pool_suite(void)
{
	Suite *suite = suite_create("kernel pool");
	TCase *tcase = tcase_create("pool");

	tcase_add_test(tcase, mapping_reserves_and_refuses_in_time);
	tcase_add_test(tcase, populate_fails_where_a_touch_would_kill);
	tcase_add_test(tcase, populated_pages_can_be_moved);
	tcase_add_test(tcase,
		       owner_may_write_after_fork_though_the_pool_is_empty);
	tcase_add_test(tcase, cuts_inside_a_page_are_refused);
	tcase_add_test(tcase, giving_back_part_of_a_page_does_nothing);
	tcase_add_test(tcase, growing_in_place_is_refused);
	tcase_add_test(tcase, collapse_and_lazy_frees_are_refused);
	tcase_add_test(tcase, query_tells_the_size_and_neighbours_apart);
	tcase_add_test(tcase, rss_does_not_contain_the_pool);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	const char *why_not = pool_open(POOL);

	if (why_not) {
		printf("SKIP: %s\n", why_not);
		return 77;
	}
	slot = hp_slot_size();
	page = hp_linux_page_size();
	return run_suite(pool_suite());
}
