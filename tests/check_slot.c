/* SPDX-License-Identifier: MIT */
#include "tests/memory.h"

#include "libhp/slot.h"
#include "tests/random.h"

static struct hp_slots slots;

static void open_slots(void)
{
	ck_assert_int_eq(hp_slots_init(&slots, hp_slot_size(),
				       hp_linux_page_size(), hp_slot_size()),
			 0);
}

static char *addr_of(unsigned int i)
{
	return (char *)hp_slots_addr(&slots, i);
}

static void add_mapped(unsigned int n)
{
	ck_assert_int_eq(hp_slots_map(&slots, n, hp_slots_extendable(&slots)),
			 0);
	ck_assert_int_eq(hp_slots_add(&slots, n, HP_SLOT_THP), 0);
}

static unsigned int maps_in_table(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long start, end;
	unsigned int n = 0;
	char line[512];

	while (fgets(line, sizeof(line), f))
		n += sscanf(line, "%lx-%lx", &start, &end) == 2 &&
		     end > slots.base && start < slots.base + slots.bytes;
	fclose(f);
	return n;
}

START_TEST(nothing_is_mapped_at_first)
{
	open_slots();
	ck_assert_uint_eq(slots.bytes, 0);
	ck_assert(hp_is_aligned(slots.base, slots.slot));
	ck_assert(!hp_slots_hold(&slots, (void *)slots.base));
	ck_assert(!hp_slots_hold(&slots, NULL));
	ck_assert_int_eq(madvise((void *)slots.base, slots.slot, MADV_DONTNEED),
			 -1);
}
END_TEST

START_TEST(grows_as_one_mapping)
{
	open_slots();
	slots.advice = MADV_HUGEPAGE;
	for (unsigned int n = 1; n < 40; n++)
		add_mapped(n);
	*addr_of(0) = *(addr_of(slots.n) - 1) = 1;
	ck_assert_uint_eq(maps_in_table(), 1);
	ck_assert(hp_slots_hold(&slots, addr_of(0)));
	ck_assert(hp_slots_hold(&slots, addr_of(slots.n) - 1));
	ck_assert(!hp_slots_hold(&slots, addr_of(slots.n)));
	ck_assert(!hp_slots_hold(&slots, addr_of(0) - 1));
}
END_TEST

START_TEST(addresses_and_indices_agree)
{
	open_slots();
	add_mapped(700);
	for (unsigned int i = 0; i < slots.n; i++) {
		uintptr_t first = hp_slots_addr(&slots, i);

		ck_assert_uint_eq(hp_slots_index(&slots, first), i);
		ck_assert_uint_eq(
			hp_slots_index(&slots, first + slots.slot - 1), i);
		ck_assert_int_eq(hp_slots_at(&slots, i)->state, HP_SLOT_THP);
		ck_assert_uint_eq(hp_slots_at(&slots, i)->longest, slots.pages);
	}
}
END_TEST

/* a changed last slot is no pattern for what comes after it */
START_TEST(does_not_inherit_what_the_program_changed)
{
	open_slots();
	slots.advice = MADV_HUGEPAGE;
	add_mapped(2);
	mprotect(addr_of(1), slots.slot, PROT_NONE);
	hp_slots_at(&slots, 1)->flags |= HP_SLOT_ADVICE;
	add_mapped(2);
	memset(addr_of(2), 1, 2 * slots.slot);
}
END_TEST

/* nor of what it did by calls that nobody watches */
START_TEST(does_not_inherit_what_nobody_saw)
{
	open_slots();
	slots.advice = MADV_HUGEPAGE;
	add_mapped(2);
	mprotect(addr_of(1), slots.slot, PROT_NONE);
	add_mapped(2);
	memset(addr_of(2), 1, 2 * slots.slot);
}
END_TEST

/* a sandbox forbids madvise: the advice comes with growth in place */
START_TEST(advice_is_passed_on_without_a_call)
{
	open_slots();
	slots.advice = MADV_HUGEPAGE;
	add_mapped(1);
	slots.sealed = true;
	add_mapped(3);
	ck_assert_uint_eq(maps_in_table(), 1);
}
END_TEST

/* read-only and writable pages in turn are a mapping each */
static void use_up_mappings(void)
{
	static const int prots[] = {PROT_READ, PROT_READ | PROT_WRITE};
	int i = 0;

	while (mmap(NULL, slots.page, prots[i++ % 2],
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		ck_assert_int_lt(i, 1 << 20);
}

/* vm.max_map_count */
START_TEST(grows_where_no_mapping_may_be_added)
{
	open_slots();
	slots.advice = MADV_HUGEPAGE;
	add_mapped(1);
	use_up_mappings();
	add_mapped(3);
	ck_assert_uint_eq(maps_in_table(), 1);
	memset(addr_of(0), 1, 4 * slots.slot);
}
END_TEST

/* MCL_FUTURE fills what is mapped: with huge pages, if they were asked for */
START_TEST(what_is_filled_at_once_is_advised_before)
{
	struct hp_backing backing;

	open_slots();
	slots.advice = MADV_HUGEPAGE;
	add_mapped(1);
	memset(addr_of(0), 1, slots.slot);
	hp_backing_query(addr_of(0), slots.slot, &backing);
	if (backing.huge < slots.slot || mlockall(MCL_FUTURE) < 0)
		return; /* no huge pages here, or none to be locked */
	slots.locked = true;
	add_mapped(1);
	hp_backing_query(addr_of(1), slots.slot, &backing);
	ck_assert_uint_eq(backing.huge, slots.slot);
}
END_TEST

/* two heaps of one process must not grow into each other */
START_TEST(stretches_keep_clear_of_each_other)
{
	static struct hp_slots other;
	uintptr_t low, high;

	open_slots();
	ck_assert_int_eq(
		hp_slots_init(&other, slots.slot, slots.page, slots.slot), 0);
	low = hp_min(slots.base, other.base);
	high = hp_max(slots.base, other.base);
	ck_assert_uint_ge(high - low, 16 * HP_GIB);
}
END_TEST

START_TEST(foreign_mappings_become_aliens)
{
	char *mine;

	open_slots();
	add_mapped(1);
	mine = mmap(addr_of(2), slots.page, PROT_NONE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	ck_assert_ptr_ne(mine, MAP_FAILED);
	ck_assert_int_eq(hp_slots_map(&slots, 4, true), -EEXIST);
	ck_assert_int_eq(hp_slots_add(&slots, 2, HP_SLOT_ALIEN), 0);
	add_mapped(4);
	ck_assert(slots.aliens);
	ck_assert_int_eq(hp_slots_at(&slots, 2)->state, HP_SLOT_ALIEN);
	ck_assert(!hp_slots_is_empty(&slots, 2));
	ck_assert_uint_eq(hp_slots_empty_tail(&slots), 4);
	memset(addr_of(slots.n - 4), 1, 4 * slots.slot);
}
END_TEST

static bool model_fits(const bool *empty, unsigned int i, unsigned int n,
		       size_t align)
{
	if (i + n > slots.n ||
	    !hp_is_aligned(hp_slots_addr(&slots, i), align * slots.slot))
		return false;
	for (unsigned int k = i; k < i + n; k++)
		if (!empty[k])
			return false;
	return true;
}

static void check_find(const bool *empty, unsigned int n, size_t align)
{
	unsigned int want = 0;

	while (want < slots.n && !model_fits(empty, want, n, align))
		want++;
	QUICK_ASSERT(hp_slots_find_empty(&slots, n, align) == want);
}

/* not mapped: only the bookkeeping is tried */
START_TEST(finds_the_lowest_aligned_run_of_empty_slots)
{
	struct rng rng = rng_seed(1);
	static bool empty[1500];

	open_slots();
	ck_assert_int_eq(hp_slots_add(&slots, 1500, HP_SLOT_THP), 0);
	memset(empty, true, sizeof(empty));
	for (unsigned int round = 0; round < 4000; round++) {
		unsigned int i = rng_below(&rng, 1500);
		unsigned int n = rng_size(&rng, 200);
		bool now = rng_below(&rng, 3) > 0;

		for (; i < 1500 && n > 0; i++, n--) {
			hp_slots_set_empty(&slots, i, now);
			empty[i] = now;
		}
		check_find(empty, rng_size(&rng, 64),
			   (size_t)1 << rng_below(&rng, 5));
	}
}
END_TEST

START_TEST(a_table_has_an_end)
{
	open_slots();
	ck_assert_int_eq(hp_slots_map(&slots,
				      HP_SLOT_BLOCKS * HP_SLOTS_PER_BLOCK + 1,
				      false),
			 -ENOMEM);
	ck_assert_int_eq(hp_slots_map(&slots, UINT32_MAX, false), -ENOMEM);
}
END_TEST

static Suite *slot_suite(void)
{
	Suite *suite = suite_create("slot");
	TCase *tcase = tcase_create("slot");

	tcase_add_test(tcase, nothing_is_mapped_at_first);
	tcase_add_test(tcase, grows_as_one_mapping);
	tcase_add_test(tcase, addresses_and_indices_agree);
	tcase_add_test(tcase, does_not_inherit_what_the_program_changed);
	tcase_add_test(tcase, does_not_inherit_what_nobody_saw);
	tcase_add_test(tcase, advice_is_passed_on_without_a_call);
	tcase_add_test(tcase, grows_where_no_mapping_may_be_added);
	tcase_add_test(tcase, what_is_filled_at_once_is_advised_before);
	tcase_add_test(tcase, stretches_keep_clear_of_each_other);
	tcase_add_test(tcase, foreign_mappings_become_aliens);
	tcase_add_test(tcase, finds_the_lowest_aligned_run_of_empty_slots);
	tcase_add_test(tcase, a_table_has_an_end);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(slot_suite());
}
