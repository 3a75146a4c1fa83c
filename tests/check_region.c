/* SPDX-License-Identifier: MIT */
#include "tests/memory.h"

#include "libhp/locate.h"

static const size_t thp_only[] = {HP_THP};

static struct hp_region *open_region(size_t len,
				     const struct hp_region_want *want)
{
	struct hp_region *r = NULL;

	ck_assert_int_eq(hp_region_open(&r, len, want), 0);
	ck_assert_ptr_nonnull(r);
	return r;
}

static struct hp_backing backing_of(const struct hp_region *r)
{
	struct hp_backing b;

	ck_assert_int_eq(
		hp_backing_query(hp_region_addr(r), hp_region_len(r), &b), 0);
	return b;
}

START_TEST(place_is_found_from_any_address)
{
	struct hp_location place = {.modulus = 1 << 21, .residue = 0x3000};

	ck_assert_uint_eq(hp_locate_find(&place, 0x200000), 0x203000);
	ck_assert_uint_eq(hp_locate_find(&place, 0x203000), 0x203000);
	ck_assert_uint_eq(hp_locate_find(&place, 0x203001), 0x403000);
}
END_TEST

START_TEST(plan_rounds_to_the_end_of_a_page)
{
	size_t page = hp_linux_page_size(), slot = hp_slot_size();
	struct hp_location p;

	ck_assert_int_eq(hp_locate_plan(&p, 1, slot, 0, 0), 0);
	ck_assert_uint_eq(p.len, slot);
	ck_assert_uint_eq(p.modulus, slot);
	ck_assert_int_eq(hp_locate_plan(&p, slot, slot, 0, page), 0);
	ck_assert_uint_eq(p.len, 2 * slot - page);
	ck_assert_uint_eq(p.residue, page);
	ck_assert_int_eq(hp_locate_plan(&p, slot, slot, 4 * slot, 3 * slot), 0);
	ck_assert_uint_eq(p.len, slot);
	ck_assert_uint_eq(p.residue, 3 * slot);
}
END_TEST

START_TEST(plan_refuses_what_cannot_be)
{
	size_t slot = hp_slot_size();
	struct hp_location p;

	ck_assert_int_eq(hp_locate_plan(&p, 0, slot, 0, 0), -EINVAL);
	ck_assert_int_eq(hp_locate_plan(&p, SIZE_MAX, slot, 0, 0), -EINVAL);
	ck_assert_int_eq(hp_locate_plan(&p, PTRDIFF_MAX, slot, 0, 0), -EINVAL);
	ck_assert_int_eq(hp_locate_plan(&p, slot, slot, 3, 0), -EINVAL);
	ck_assert_int_eq(hp_locate_plan(&p, slot, slot, 0, 1), -EINVAL);
}
END_TEST

START_TEST(defaults_give_an_aligned_private_region)
{
	size_t slot = hp_slot_size();
	struct hp_region *r = open_region(3 * slot - 1, NULL);
	char *p = hp_region_addr(r);

	ck_assert_uint_eq(hp_region_len(r), 3 * slot);
	ck_assert(hp_is_aligned((uintptr_t)p, slot));
	ck_assert_int_eq(hp_region_fd(r), -EBADF);
	ck_assert_uint_eq(backing_of(r).present, 0);
	memset(p, 1, 3 * slot);
	ck_assert_uint_eq(backing_of(r).present, 3 * slot);
	hp_region_close(r);
}
END_TEST

START_TEST(bad_requests_leave_the_result_alone)
{
	static const size_t odd[] = {12345}, many[9];
	const struct hp_region_want wants[] = {
		{.align = 3},	{.offset = 1},
		{.flags = 64},	{.ladder = odd, .nladder = 1},
		{.nladder = 1}, {.ladder = many, .nladder = 9},
	};
	struct hp_region *r = (void *)1;

	for (size_t i = 0; i < HP_ARRAY_SIZE(wants); i++)
		ck_assert_int_eq(hp_region_open(&r, 1, &wants[i]), -EINVAL);
	ck_assert_int_eq(hp_region_open(&r, 0, NULL), -EINVAL);
	ck_assert_int_eq(hp_region_open(&r, SIZE_MAX, NULL), -EINVAL);
	ck_assert_int_eq(hp_region_open(&r, PTRDIFF_MAX / 2, NULL), -ENOMEM);
	ck_assert_ptr_eq(r, (void *)1);
}
END_TEST

START_TEST(start_is_congruent_to_the_offset)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	struct hp_region_want want = {.offset = 5 * slot + 7 * page};
	struct hp_region *r = open_region(2 * slot, &want);
	uintptr_t start = (uintptr_t)hp_region_addr(r);

	ck_assert(hp_is_aligned(start - want.offset, slot));
	ck_assert(hp_is_aligned(start + hp_region_len(r), slot));
	ck_assert_uint_ge(hp_region_len(r), 2 * slot);
	ck_assert_int_eq(hp_region_reason(r, 0), HP_REASON_UNALIGNED);
	memset((void *)start, 1, hp_region_len(r));
	hp_region_close(r);
}
END_TEST

START_TEST(alignment_may_exceed_a_slot)
{
	size_t slot = hp_slot_size();
	struct hp_region_want want = {.align = 16 * slot, .offset = 3 * slot};

	for (int i = 0; i < 3; i++) {
		struct hp_region *r = open_region(slot, &want);
		uintptr_t start = (uintptr_t)hp_region_addr(r);

		ck_assert(hp_is_aligned(start - want.offset, want.align));
	}
}
END_TEST

struct told {
	size_t done, total;
	unsigned int calls;
	pthread_t thread;
};

static void tell(size_t done, size_t total, void *arg)
{
	struct told *told = arg;

	ck_assert_uint_gt(done, told->done);
	ck_assert(pthread_equal(pthread_self(), told->thread));
	told->done = done;
	told->total = total;
	told->calls++;
}

START_TEST(prefault_touches_everything_and_tells)
{
	struct told told = {.thread = pthread_self()};
	struct hp_region_want want = {
		.flags = HP_REGION_PREFAULT,
		.threads = 4,
		.offset = 3 * hp_linux_page_size(),
		.progress = tell,
		.progress_arg = &told,
	};
	struct hp_region *r = open_region(100 * HP_MIB, &want);

	ck_assert_uint_eq(backing_of(r).present, hp_region_len(r));
	ck_assert_uint_eq(told.done, hp_region_len(r));
	ck_assert_uint_eq(told.total, hp_region_len(r));
	ck_assert_uint_ge(told.calls, 1);
	hp_region_close(r);
}
END_TEST

START_TEST(shared_region_is_its_file)
{
	struct hp_region_want want = {.flags = HP_REGION_SHARED};
	struct hp_region *r = open_region(hp_slot_size(), &want);
	char *p = hp_region_addr(r), *q;

	ck_assert_int_ge(hp_region_fd(r), 0);
	q = mmap(NULL, hp_region_len(r), PROT_READ, MAP_SHARED, hp_region_fd(r),
		 0);
	ck_assert_ptr_ne(q, MAP_FAILED);
	p[12345] = 42;
	ck_assert_int_eq(q[12345], 42);
	munmap(q, hp_region_len(r));
	hp_region_close(r);
}
END_TEST

START_TEST(close_gives_everything_back)
{
	struct hp_region_want want = {.flags = HP_REGION_SHARED};
	struct hp_region *r = open_region(hp_slot_size(), &want);
	int fd = hp_region_fd(r);
	void *p = hp_region_addr(r);
	unsigned char there;

	hp_region_close(r);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	ck_assert_int_eq(mincore(p, hp_linux_page_size(), &there), -1);
	ck_assert_int_eq(errno, ENOMEM);
	hp_region_close(NULL);
}
END_TEST

START_TEST(node_zero_can_be_bound)
{
	const uint64_t nodes[] = {1};
	struct hp_region_want want = {.nodes = nodes, .nnodes = 1};
	struct hp_region *r;
	int ret = hp_region_open(&r, hp_slot_size(), &want);

	if (ret == -EPERM)
		return; /* a container's seccomp filter */
	ck_assert_int_eq(ret, 0);
	memset(hp_region_addr(r), 1, hp_region_len(r));
	hp_region_close(r);
}
END_TEST

START_TEST(node_that_is_not_there_is_refused)
{
	const uint64_t nodes[] = {0, (uint64_t)1 << 40};
	struct hp_region_want want = {.nodes = nodes, .nnodes = 2};
	struct hp_region *r = NULL;

	ck_assert_int_lt(hp_region_open(&r, hp_slot_size(), &want), 0);
	ck_assert_ptr_null(r);
}
END_TEST

START_TEST(strict_thp_is_proven)
{
	struct hp_region_want want = {
		.flags = HP_REGION_STRICT,
		.ladder = thp_only,
		.nladder = 1,
	};
	struct hp_region *r = open_region(4 * hp_slot_size(), &want);

	ck_assert_uint_eq(backing_of(r).huge, 4 * hp_slot_size());
	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(hp_region_reason(r, i), HP_REASON_NONE);
	hp_region_close(r);
}
END_TEST

/* whatever shmem_enabled says, which is "never" on most systems */
START_TEST(shared_region_can_be_strict)
{
	struct hp_region_want want = {
		.flags = HP_REGION_STRICT | HP_REGION_SHARED,
		.ladder = thp_only,
		.nladder = 1,
	};
	struct hp_region *r = NULL;
	int ret = hp_region_open(&r, 2 * hp_slot_size(), &want);

	if (ret == -ENOMEM)
		return; /* built without THP in shmem */
	ck_assert_int_eq(ret, 0);
	ck_assert_uint_eq(backing_of(r).huge, 2 * hp_slot_size());
	ck_assert_int_ge(hp_region_fd(r), 0);
	hp_region_close(r);
}
END_TEST

START_TEST(promotion_counts_the_huge_slots)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = small_slots(4);

	ck_assert_int_eq(hp_promote(p + page, 4 * slot - page), 3);
	ck_assert_int_eq(hp_promote(p, 4 * slot), 4);
	ck_assert_int_eq(hp_promote(p + 1, slot), -EINVAL);
	ck_assert_int_eq(hp_promote(p, SIZE_MAX), -EINVAL);
	for (size_t i = 0; i < 4 * slot; i += page)
		ck_assert_int_eq(p[i], 1);
}
END_TEST

START_TEST(promotion_goes_on_after_a_slot_that_fails)
{
	size_t slot = hp_slot_size();
	char *p = small_slots(4);

	ck_assert_int_eq(munmap(p + slot, slot), 0);
	ck_assert_int_eq(hp_promote(p, 4 * slot), 3);
}
END_TEST

START_TEST(guest_blocks_are_whole_congruent_and_huge)
{
	size_t slot = hp_slot_size(), page = hp_linux_page_size();
	char *p = huge_slots(4);

	ck_assert_int_eq(hp_guest_blocks(p, 0, 4 * slot), 4);
	ck_assert_int_eq(hp_guest_blocks(p, 64 * slot, 4 * slot), 4);
	ck_assert_int_eq(hp_guest_blocks(p, page, 4 * slot), 0);
	ck_assert_int_eq(hp_guest_blocks(p + page, page, 4 * slot - page), 3);
	mprotect(p + slot, page, PROT_READ);
	ck_assert_int_eq(hp_guest_blocks(p, 0, 4 * slot), 3);
	ck_assert_int_eq(hp_guest_blocks(p, UINT64_MAX - slot, 4 * slot),
			 -EINVAL);
}
END_TEST

START_TEST(slots_needed_are_rounded_up)
{
	size_t slot = hp_slot_size();

	ck_assert_uint_eq(hp_pages_needed(0), 0);
	ck_assert_uint_eq(hp_pages_needed(1), 1);
	ck_assert_uint_eq(hp_pages_needed(slot), 1);
	ck_assert_uint_eq(hp_pages_needed(slot + 1), 2);
	ck_assert_uint_eq(hp_pages_needed(SIZE_MAX), SIZE_MAX / slot + 1);
}
END_TEST

static Suite *region_suite(bool thp)
{
	Suite *suite = suite_create("region");
	TCase *tcase = tcase_create("any machine");

	tcase_add_test(tcase, place_is_found_from_any_address);
	tcase_add_test(tcase, plan_rounds_to_the_end_of_a_page);
	tcase_add_test(tcase, plan_refuses_what_cannot_be);
	tcase_add_test(tcase, defaults_give_an_aligned_private_region);
	tcase_add_test(tcase, bad_requests_leave_the_result_alone);
	tcase_add_test(tcase, start_is_congruent_to_the_offset);
	tcase_add_test(tcase, alignment_may_exceed_a_slot);
	tcase_add_test(tcase, prefault_touches_everything_and_tells);
	tcase_add_test(tcase, shared_region_is_its_file);
	tcase_add_test(tcase, close_gives_everything_back);
	tcase_add_test(tcase, node_zero_can_be_bound);
	tcase_add_test(tcase, node_that_is_not_there_is_refused);
	tcase_add_test(tcase, slots_needed_are_rounded_up);
	suite_add_tcase(suite, tcase);
	if (!thp)
		return suite;
	tcase = tcase_create("with THP");
	tcase_add_test(tcase, strict_thp_is_proven);
	tcase_add_test(tcase, shared_region_can_be_strict);
	tcase_add_test(tcase, promotion_counts_the_huge_slots);
	tcase_add_test(tcase, promotion_goes_on_after_a_slot_that_fails);
	tcase_add_test(tcase, guest_blocks_are_whole_congruent_and_huge);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	bool thp = have_collapse();

	if (!thp)
		puts("the kernel gives no THP: cases with THP left out");
	return run_suite(region_suite(thp));
}
