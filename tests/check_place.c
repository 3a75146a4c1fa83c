/* SPDX-License-Identifier: MIT */
/*
 * check_place.c - the program's mappings: placed better, otherwise the same
 */
#include "tests/memory.h"

#include <signal.h>
#include <sys/time.h>

#include "libhp/heap.h"
#include "preload/change.h"
#include "preload/maplist.h"
#include "preload/outcome.h"
#include "preload/pack.h"
#include "preload/place.h"
#include "preload/record.h"
#include "preload/sampling.h"

#define KIB64 (64 * HP_KIB)
#define RW (PROT_READ | PROT_WRITE)
#define PLAIN (MAP_PRIVATE | MAP_ANONYMOUS)

static struct hp_context context;
static size_t page, slot;

/* in place of preload/outcome.c */
void hp_outcome_falling(size_t bytes)
{
	(void)bytes;
}

/* in place of preload/sampling.c */
void hp_sampling_map(uintptr_t start, size_t len)
{
	(void)start;
	(void)len;
}

void hp_sampling_unmap(uintptr_t start, size_t len)
{
	(void)start;
	(void)len;
}

static void open_place(size_t start, enum hp_mmap_mode mode)
{
	hp_options_default(&context.options);
	context.options.start = start;
	context.options.mmap = mode;
	hp_pagesizes_read(&context.pagesizes);
	context.pagesizes.thp = HP_THP_MADVISE;
	context.pagesizes.thp_pmd = HP_THP_INHERIT;
	context.pagesizes.prctl = 0;
	page = context.pagesizes.base;
	slot = context.pagesizes.pmd;
	ck_assert_int_eq(
		hp_heap_init(&context.options, &context.pagesizes, false), 0);
	hp_place_init(&context);
}

static char *map(size_t len, int prot, int flags)
{
	long ret = hp_place_map(NULL, len, prot, flags, -1, 0);

	ck_assert(!hp_linux_failed(ret));
	return (char *)ret;
}

static bool packed(const char *p)
{
	return hp_pack_near((uintptr_t)p, (uintptr_t)p + 1);
}

static bool advised(const char *p)
{
	const struct hp_map *m = hp_maplist_find((uintptr_t)p);

	return m && m->start <= (uintptr_t)p && m->kind == HP_MAP_ADVISED;
}

START_TEST(small_mappings_are_packed_and_large_ones_aligned)
{
	char *small, *large;

	open_place(0, HP_MMAP_PACK);
	small = map(KIB64, RW, PLAIN);
	large = map(3 * slot + 5, RW, PLAIN);
	ck_assert(packed(small));
	ck_assert(advised(large) && !packed(large));
	ck_assert(hp_is_aligned((uintptr_t)large, slot));
	memset(large, 1, 3 * slot + page);
	ck_assert_uint_eq(hp_record_used(), KIB64 + 3 * slot + page);
}
END_TEST

START_TEST(below_the_threshold_large_mappings_are_the_kernels)
{
	open_place(HP_GIB, HP_MMAP_PACK);
	ck_assert(!advised(map(3 * slot, RW, PLAIN)));
	ck_assert_uint_eq(hp_record_used(), 0);
}
END_TEST

START_TEST(mappings_of_other_kinds_are_left_alone)
{
	static const struct {
		int prot, flags;
	} other[] = {
		{RW, PLAIN | MAP_STACK},	  {RW, PLAIN | MAP_GROWSDOWN},
		{RW, PLAIN | MAP_LOCKED},	  {PROT_READ, PLAIN},
		{RW | PROT_EXEC, PLAIN},	  {PROT_NONE, PLAIN},
		{RW, MAP_SHARED | MAP_ANONYMOUS}, {RW, PLAIN | MAP_32BIT},
	};

	open_place(0, HP_MMAP_PACK);
	for (size_t i = 0; i < HP_ARRAY_SIZE(other); i++) {
		char *p = map(KIB64, other[i].prot, other[i].flags);

		ck_assert(!packed(p) && !advised(p));
	}
	ck_assert(!packed(map(KIB64 - page, RW, PLAIN)));
	ck_assert_uint_eq(hp_record_used(), 0);
}
END_TEST

START_TEST(impossible_sizes_fail_as_in_the_kernel)
{
	const size_t sizes[] = {0, SIZE_MAX, SIZE_MAX - slot, SIZE_MAX / 2,
				(size_t)1 << 48};

	open_place(0, HP_MMAP_PACK);
	for (size_t i = 0; i < HP_ARRAY_SIZE(sizes); i++)
		ck_assert_int_eq(
			hp_place_map(NULL, sizes[i], RW, PLAIN, -1, 0),
			hp_linux_map(NULL, sizes[i], RW, PLAIN, -1, 0));
	ck_assert_int_eq(hp_place_unmap((void *)1, page), -EINVAL);
	ck_assert_int_eq(hp_place_unmap((void *)slot, 0), -EINVAL);
	ck_assert_int_eq(hp_change_protect((void *)1, page, RW), -EINVAL);
	ck_assert_int_eq(hp_change_advise((void *)slot, slot, 12345), -EINVAL);
}
END_TEST

START_TEST(moving_keeps_contents_and_alignment)
{
	char *p, *q;

	open_place(0, HP_MMAP_PACK);
	p = map(KIB64, RW, PLAIN);
	map(KIB64, RW, PLAIN);
	memset(p, 7, KIB64);
	q = (char *)hp_place_remap(p, KIB64, 2 * slot, MREMAP_MAYMOVE, NULL);
	ck_assert(hp_is_aligned((uintptr_t)q, slot));
	for (size_t i = 0; i < 2 * slot; i += page)
		QUICK_ASSERT(q[i] == (i < KIB64 ? 7 : 0));
	ck_assert_int_eq(hp_linux_protect(p, KIB64, PROT_READ), -ENOMEM);
	ck_assert_uint_eq(hp_record_used(), KIB64 + 2 * slot);
}
END_TEST

/* the program sees one mapping, and mremap takes no more than one */
START_TEST(a_reservation_used_in_steps_is_one_mapping)
{
	size_t step;
	char *p, *q;

	open_place(0, HP_MMAP_PACK);
	step = slot / 2 + 3 * page;
	p = map(8 * slot, PROT_NONE, PLAIN | MAP_NORESERVE);
	for (size_t at = 0; at + step <= 8 * slot; at += step) {
		ck_assert_int_eq(hp_change_protect(p + at, step, RW), 0);
		memset(p + at, 1, step);
		ck_assert(advised(p + at));
	}
	q = (char *)hp_place_remap(p, 8 * slot / step * step, 9 * slot,
				   MREMAP_MAYMOVE, NULL);
	ck_assert(!hp_linux_failed((long)q));
	ck_assert_int_eq(q[7 * slot], 1);
}
END_TEST

/* what is given back is not in use, but part of the mapping around it */
START_TEST(a_reservation_used_and_given_back_is_one_mapping)
{
	char *p, *q;

	open_place(0, HP_MMAP_PACK);
	p = map(8 * slot, PROT_NONE, PLAIN | MAP_NORESERVE);
	ck_assert_int_eq(hp_change_protect(p + slot, 2 * slot, RW), 0);
	ck_assert_uint_eq(hp_record_used(), 2 * slot);
	if (_i)
		hp_place_map(p + slot, slot, PROT_NONE,
			     PLAIN | MAP_NORESERVE | MAP_FIXED, -1, 0);
	else
		hp_change_protect(p + slot, slot, PROT_NONE);
	ck_assert_uint_eq(hp_record_used(), slot);
	ck_assert(!advised(p + slot) && advised(p + 2 * slot));
	ck_assert_int_eq(hp_change_protect(p, 8 * slot, RW), 0);
	ck_assert_uint_eq(hp_record_used(), 8 * slot);
	q = (char *)hp_linux_remap(p, 8 * slot, 9 * slot, MREMAP_MAYMOVE, NULL);
	ck_assert(!hp_linux_failed((long)q));
}
END_TEST

START_TEST(a_reservation_never_used_is_left_alone)
{
	struct hp_map opened;
	char *p;

	open_place(0, HP_MMAP_PACK);
	p = map(8 * slot, PROT_NONE, PLAIN | MAP_NORESERVE);
	ck_assert(!hp_record_touched((uintptr_t)p, (uintptr_t)p + 8 * slot));
	ck_assert(hp_record_open((uintptr_t)p, (uintptr_t)p + page, slot,
				 &opened));
	ck_assert_uint_eq(opened.start, (uintptr_t)p);
	ck_assert_uint_le(opened.end - opened.start, slot);
	ck_assert_uint_eq(hp_record_used(), 0);
}
END_TEST

/* given before the memory is used, too */
START_TEST(advice_of_the_program_on_a_reservation_stays)
{
	char *p;

	open_place(0, HP_MMAP_PACK);
	p = map(8 * slot, PROT_NONE, PLAIN | MAP_NORESERVE);
	hp_change_advise(p + 4 * slot, 2 * slot, MADV_NOHUGEPAGE);
	ck_assert_int_eq(hp_change_protect(p, 8 * slot, RW), 0);
	ck_assert(advised(p) && advised(p + 7 * slot));
	ck_assert(!advised(p + 4 * slot) && !advised(p + 6 * slot - page));
	ck_assert_uint_eq(hp_record_used(), 6 * slot);
}
END_TEST

START_TEST(a_replaced_middle_is_no_border)
{
	char *p, *q;
	long ret;

	open_place(0, HP_MMAP_PACK);
	p = map(4 * slot, RW, PLAIN);
	ret = hp_place_map(p + slot, page, RW, PLAIN | MAP_FIXED, -1, 0);
	ck_assert_int_eq(ret, (long)(p + slot));
	q = (char *)hp_place_remap(p, 2 * slot, 6 * slot, MREMAP_MAYMOVE, NULL);
	ck_assert(!hp_linux_failed((long)q));
}
END_TEST

/* a slot given up before, into which something grows or is placed */
START_TEST(what_comes_to_lie_in_a_buried_slot_is_not_unmapped_with_it)
{
	char *a, *b, *hinted;

	open_place(0, HP_MMAP_PACK);
	a = map(slot - page, RW, PLAIN);
	b = map(slot - page, RW, PLAIN);
	ck_assert_int_eq(hp_place_unmap(a, slot - page), 0);
	ck_assert_int_eq(hp_place_unmap(b, slot - page), 0);
	ck_assert_int_eq(hp_place_map(a, page, RW, PLAIN | MAP_FIXED, -1, 0),
			 (long)a);
	ck_assert_int_eq(hp_place_remap(a, page, 32 * page, 0, NULL), (long)a);
	hinted = (char *)hp_place_map(a + 40 * page, page, RW, PLAIN, -1, 0);
	strcpy(a + 31 * page, "grown");
	strcpy(hinted, "hinted");
	ck_assert_int_eq(hp_place_unmap(a, 30 * page), 0);
	for (int i = 0; i < 50; i++)
		hp_place_unmap(map(KIB64, RW, PLAIN), KIB64);
	ck_assert_str_eq(a + 31 * page, "grown");
	ck_assert_str_eq(hinted, "hinted");
}
END_TEST

/* VmLck of /proc/self/status, in kB */
static long locked(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[128];
	long kib = -1;

	while (fgets(line, sizeof(line), f))
		sscanf(line, "VmLck: %ld", &kib);
	fclose(f);
	return kib;
}

START_TEST(growth_of_the_heap_does_not_inherit_a_lock)
{
	size_t pages;
	bool clean;
	char *p;

	open_place(0, HP_MMAP_PACK);
	pages = slot / page;
	p = hp_filler_take(&hp_heap, pages, pages, &clean);
	if (hp_change_lock(p, slot, _i ? MLOCK_ONFAULT : 0) < 0)
		return; /* RLIMIT_MEMLOCK */
	for (int i = 0; i < 8; i++)
		hp_filler_take(&hp_heap, pages, 1, &clean);
	ck_assert_int_eq(locked(), slot / HP_KIB);
	hp_filler_give(&hp_heap, p, pages);
	ck_assert_int_eq(locked(), 0);
}
END_TEST

START_TEST(growth_of_the_heap_does_not_inherit_a_key)
{
	int key = pkey_alloc(0, 0);
	size_t pages;
	bool clean;
	char *p;

	if (key < 0)
		return; /* a processor or a kernel without them */
	open_place(0, HP_MMAP_PACK);
	pages = slot / page;
	p = hp_filler_take(&hp_heap, pages, pages, &clean);
	ck_assert_int_eq(hp_change_key(p, slot, RW, key), 0);
	ck_assert_int_eq(pkey_set(key, PKEY_DISABLE_ACCESS), 0);
	for (int i = 0; i < 8; i++)
		*(char *)hp_filler_take(&hp_heap, pages, 1, &clean) = 1;
}
END_TEST

static volatile sig_atomic_t bad, ticks;

static void tick(int sig)
{
	char *p = (char *)hp_place_map(NULL, KIB64, RW, PLAIN, -1, 0);

	(void)sig;
	bad |= hp_linux_failed((long)p);
	if (!bad) {
		bad |= p[0] != 0;
		p[0] = 1;
		bad |= hp_place_unmap(p, KIB64) != 0;
	}
	ticks++;
}

START_TEST(handlers_map_and_unmap_whatever_they_interrupt)
{
	const struct itimerval often = {{0, 200}, {0, 200}};
	const struct itimerval never = {0};
	char *p;

	open_place(0, HP_MMAP_PACK);
	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &often, NULL);
	while (ticks < 1000 && !bad) {
		p = map(KIB64 + page, RW, PLAIN);
		bad |= p[0] != 0;
		p[0] = 1;
		hp_change_protect(p, page, PROT_READ);
		bad |= hp_place_unmap(p, KIB64 + page) != 0;
	}
	setitimer(ITIMER_REAL, &never, NULL);
	ck_assert(!bad);
}
END_TEST

static void *churn(void *arg)
{
	char *blocks[32] = {0};
	char mark = (char)(uintptr_t)arg;

	for (unsigned int i = 0; i < 6000; i++) {
		char **p = &blocks[i * 7 % 32];
		size_t len = KIB64 + i % 32 * page;

		if (*p) {
			QUICK_ASSERT((*p)[0] == mark &&
				     (*p)[KIB64 - 1] == mark);
			QUICK_ASSERT(hp_place_unmap(*p, KIB64) == 0);
			*p = NULL;
			continue;
		}
		*p = (char *)hp_place_map(NULL, len, RW, PLAIN, -1, 0);
		QUICK_ASSERT((*p)[0] == 0 && (*p)[KIB64 - 1] == 0);
		(*p)[0] = (*p)[KIB64 - 1] = mark;
		if (len > KIB64)
			hp_place_unmap(*p + KIB64, len - KIB64);
	}
	return NULL;
}

START_TEST(threads_get_blocks_of_their_own)
{
	pthread_t threads[4];

	open_place(2 * HP_MIB, HP_MMAP_PACK);
	for (uintptr_t i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, churn, (void *)(i + 1));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}
END_TEST

static Suite *place_suite(void)
{
	Suite *suite = suite_create("place");
	TCase *tcase = tcase_create("place");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, small_mappings_are_packed_and_large_ones_aligned);
	tcase_add_test(tcase,
		       below_the_threshold_large_mappings_are_the_kernels);
	tcase_add_test(tcase, mappings_of_other_kinds_are_left_alone);
	tcase_add_test(tcase, impossible_sizes_fail_as_in_the_kernel);
	tcase_add_test(tcase, moving_keeps_contents_and_alignment);
	tcase_add_test(tcase, a_reservation_used_in_steps_is_one_mapping);
	tcase_add_loop_test(
		tcase, a_reservation_used_and_given_back_is_one_mapping, 0, 2);
	tcase_add_test(tcase, a_reservation_never_used_is_left_alone);
	tcase_add_test(tcase, advice_of_the_program_on_a_reservation_stays);
	tcase_add_test(tcase, a_replaced_middle_is_no_border);
	tcase_add_test(
		tcase,
		what_comes_to_lie_in_a_buried_slot_is_not_unmapped_with_it);
	tcase_add_loop_test(tcase, growth_of_the_heap_does_not_inherit_a_lock,
			    0, 2);
	tcase_add_test(tcase, growth_of_the_heap_does_not_inherit_a_key);
	tcase_add_test(tcase, handlers_map_and_unmap_whatever_they_interrupt);
	tcase_add_test(tcase, threads_get_blocks_of_their_own);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(place_suite());
}
