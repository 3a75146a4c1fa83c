/* SPDX-License-Identifier: MIT */
/*
 * check_pack.c - packed blocks: zeroed, apart, and really gone when unmapped
 */
#include "tests/memory.h"

#include <signal.h>
#include <sys/wait.h>

#include "preload/pack.h"
#include "tests/random.h"

#define KIB64 (64 * HP_KIB)

static struct hp_context context;
static struct hp_start start;
static size_t page, slot;

static void open_pack(size_t threshold)
{
	hp_options_default(&context.options);
	hp_pagesizes_read(&context.pagesizes);
	context.pagesizes.thp = HP_THP_MADVISE;
	context.pagesizes.thp_pmd = HP_THP_INHERIT;
	context.pagesizes.prctl = 0;
	start.threshold = threshold;
	page = context.pagesizes.base;
	slot = context.pagesizes.pmd;
	ck_assert_int_eq(hp_pack_init(&context, &start), 0);
}

static char *map(size_t len)
{
	struct hp_span filled;
	char *p = hp_pack_map(len, &filled);

	ck_assert_ptr_nonnull(p);
	for (size_t i = 0; i < len; i += 512)
		QUICK_ASSERT(p[i] == 0);
	return p;
}

/* as the wrapper does: first the kernel, then the tables */
static void unmap(char *p, size_t len)
{
	ck_assert_int_eq(munmap(p, len), 0);
	hp_pack_unmapped((uintptr_t)p, (uintptr_t)p + len);
}

static bool there(const char *p)
{
	unsigned char seen;

	return mincore((void *)hp_align_down((uintptr_t)p, page), page,
		       &seen) == 0;
}

START_TEST(blocks_lie_side_by_side_in_one_slot)
{
	char *first, *p;

	open_pack(0);
	first = map(KIB64);
	for (size_t i = 1; i < slot / KIB64; i++) {
		p = map(KIB64);
		ck_assert_ptr_eq(p, first + i * KIB64);
	}
	ck_assert(hp_is_aligned((uintptr_t)first, slot));
	ck_assert_uint_eq(hp_pack_used(), slot);
}
END_TEST

START_TEST(unmapped_pages_are_gone_and_their_neighbours_stay)
{
	char *a, *b, *c;

	open_pack(0);
	a = map(KIB64);
	b = map(KIB64);
	c = map(KIB64);
	memset(a, 1, KIB64);
	memset(c, 3, KIB64);
	unmap(b, KIB64);
	for (size_t i = 0; i < KIB64; i += page)
		ck_assert(!there(b + i));
	ck_assert_int_eq(a[KIB64 - 1], 1);
	ck_assert_int_eq(c[0], 3);
	ck_assert_uint_eq(hp_pack_used(), 2 * KIB64);
}
END_TEST

START_TEST(a_hole_is_filled_with_zeroed_pages)
{
	char *a, *b;

	open_pack(0);
	a = map(KIB64);
	b = map(KIB64);
	map(KIB64);
	memset(b, 1, KIB64);
	unmap(b, KIB64);
	ck_assert_ptr_eq(map(KIB64), b);
	ck_assert(there(a));
}
END_TEST

START_TEST(pages_are_taken_back_one_by_one)
{
	char *p;

	open_pack(0);
	p = map(4 * page + KIB64);
	for (size_t i = 0; i < KIB64 / page + 4; i++)
		unmap(p + i * page, page);
	ck_assert_uint_eq(hp_pack_used(), 0);
	ck_assert_ptr_eq(map(KIB64 + 4 * page), p);
}
END_TEST

/* a range that was free all the time, on the program's own initiative */
START_TEST(clean_pages_the_program_unmaps_are_not_handed_out)
{
	char *a, *b;

	open_pack(0);
	a = map(KIB64);
	unmap(a + KIB64 / 2, KIB64);
	b = map(KIB64);
	ck_assert(b >= a + KIB64 / 2 + KIB64 || b + KIB64 <= a);
	memset(b, 1, KIB64);
	ck_assert_uint_eq(hp_pack_used(), KIB64 / 2 + KIB64);
}
END_TEST

/* the first of two blocks goes, and the program maps a page of its own there */
static char *map_over_block(void)
{
	char *a = map(KIB64), *mine;

	map(KIB64);
	unmap(a, KIB64);
	mine = mmap(a, page, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	ck_assert_ptr_eq(mine, a);
	strcpy(mine, "mine");
	return mine;
}

/* with the kernel's leave, which knows nothing of slots */
START_TEST(what_the_program_maps_over_a_block_is_never_ours_to_unmap)
{
	char *mine;

	open_pack(0);
	mine = map_over_block();
	hp_pack_mapped((uintptr_t)mine, (uintptr_t)mine + page);
	for (int i = 0; i < 100; i++)
		unmap(map(KIB64), KIB64);
	ck_assert_str_eq(mine, "mine");
	unmap(mine + KIB64, KIB64);
	ck_assert_str_eq(mine, "mine");
	ck_assert_uint_eq(hp_pack_used(), page);
}
END_TEST

/* without telling us: a system call of its own, or in a handler */
START_TEST(a_mapping_nobody_told_us_of_is_never_ours_to_fill)
{
	char *b, *mine;

	open_pack(0);
	mine = map_over_block();
	b = map(KIB64);
	ck_assert(b >= mine + KIB64 || b + KIB64 <= mine);
	ck_assert_str_eq(mine, "mine");
}
END_TEST

START_TEST(a_block_in_two_slots_is_one_block)
{
	char *a, *b, *c;
	size_t len;

	open_pack(0);
	len = slot / 2 + page;
	a = map(len);
	b = map(len);
	c = map(len);
	ck_assert_ptr_eq(b, a + len);
	ck_assert_ptr_eq(c, b + len);
	memset(a, 1, len);
	memset(b, 2, len);
	memset(c, 3, len);
	unmap(b, len);
	ck_assert(!there(b) && !there(b + len - page));
	ck_assert_uint_eq(hp_pack_used(), 2 * len);
	ck_assert_ptr_eq(map(len), b);
	ck_assert_int_eq(a[len - 1], 1);
	ck_assert_int_eq(c[0], 3);
}
END_TEST

/* two slots given up, of which the first is used again and the second is not */
static char *reopen_first(void)
{
	char *a, *b, *c;

	open_pack(0);
	a = map(slot - page);
	b = map(slot - page);
	c = map(slot - page);
	unmap(a, slot - page);
	unmap(b, slot - page);
	unmap(c, slot - page);
	map(slot - 3 * page); /* where c was, in the slot that is kept */
	ck_assert_ptr_eq(map(KIB64), a);
	return a;
}

START_TEST(a_block_whose_second_slot_is_anothers_is_not_to_be_had)
{
	struct hp_span filled;
	char *a = reopen_first();
	char *mine = mmap(a + slot + page, page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	strcpy(mine, "mine");
	ck_assert_ptr_null(hp_pack_map(slot - page, &filled));
	ck_assert_str_eq(mine, "mine");
	ck_assert_ptr_eq(map(KIB64), a + KIB64);
	ck_assert_uint_eq(hp_pack_used(), slot - 3 * page + 2 * KIB64);
}
END_TEST

#define BLOCKS 60

static struct {
	char *p;
	size_t len;
	unsigned char mark;
} blocks[BLOCKS];

static void check_block(unsigned int i)
{
	for (size_t at = 0; at < blocks[i].len; at += page)
		QUICK_ASSERT((unsigned char)blocks[i].p[at] == blocks[i].mark);
}

static void change_block(struct rng *rng, unsigned int i)
{
	size_t part;

	if (!blocks[i].p) {
		blocks[i].len = page * (16 + rng_below(rng, 400));
		blocks[i].p = map(blocks[i].len);
		blocks[i].mark = (unsigned char)(1 + rng_below(rng, 255));
		for (size_t at = 0; at < blocks[i].len; at += page)
			blocks[i].p[at] = (char)blocks[i].mark;
		return;
	}
	check_block(i);
	part = page *
	       (1 + rng_below(rng, (unsigned int)(blocks[i].len / page)));
	unmap(blocks[i].p + blocks[i].len - part, part);
	blocks[i].len -= part;
	if (blocks[i].len == 0)
		blocks[i].p = NULL;
}

START_TEST(any_order_of_mapping_and_unmapping_keeps_every_block)
{
	struct rng rng = rng_seed((uint64_t)_i);
	size_t sum;

	open_pack(_i % 2 ? 0 : 4 * HP_MIB);
	for (int round = 0; round < 3000; round++) {
		change_block(&rng, rng_below(&rng, BLOCKS));
		sum = 0;
		for (unsigned int i = 0; i < BLOCKS; i++)
			sum += blocks[i].p ? blocks[i].len : 0;
		QUICK_ASSERT(hp_pack_used() == sum);
	}
	for (unsigned int i = 0; i < BLOCKS; i++)
		if (blocks[i].p)
			check_block(i);
}
END_TEST

static Suite *pack_suite(void)
{
	Suite *suite = suite_create("pack");
	TCase *tcase = tcase_create("pack");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, blocks_lie_side_by_side_in_one_slot);
	tcase_add_test(tcase,
		       unmapped_pages_are_gone_and_their_neighbours_stay);
	tcase_add_test(tcase, a_hole_is_filled_with_zeroed_pages);
	tcase_add_test(tcase, pages_are_taken_back_one_by_one);
	tcase_add_test(tcase,
		       clean_pages_the_program_unmaps_are_not_handed_out);
	tcase_add_test(
		tcase,
		what_the_program_maps_over_a_block_is_never_ours_to_unmap);
	tcase_add_test(tcase,
		       a_mapping_nobody_told_us_of_is_never_ours_to_fill);
	tcase_add_test(tcase, a_block_in_two_slots_is_one_block);
	tcase_add_test(tcase,
		       a_block_whose_second_slot_is_anothers_is_not_to_be_had);
	tcase_add_loop_test(
		tcase, any_order_of_mapping_and_unmapping_keeps_every_block, 0,
		4);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(pack_suite());
}
