/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libhp/backing.h"
#include "libhp/hp.h"
#include "libhp/linux.h"
#include "probe/live.h"
#include "probe/live_tables.h"
#include "tests/suite.h"

#define SPAN (32 * HP_MIB)

static struct hp_region *region;
static char *base;
static size_t page;

static void setup(void)
{
	ck_assert_int_eq(hp_region_open(&region, SPAN, NULL), 0);
	base = hp_region_addr(region);
	page = hp_linux_page_size();
}

static void teardown(void)
{
	hp_region_close(region);
}

static uint64_t present(void)
{
	struct hp_backing is;

	ck_assert_int_eq(hp_backing_query(base, SPAN, &is), 0);
	return is.present;
}

/* Kernels before 6.11 cannot tell what this needs to know. */
static bool kernel_can(void)
{
	struct hp_live_view view = {.ranges = hp_live_managed};
	bool can;

	if (hp_live_view_open(&view))
		return false;
	can = hp_live_view_count(&view) == 0;
	hp_live_view_close(&view);
	return can;
}

START_TEST(refuses_memory_it_cannot_keep_mapped)
{
	struct hp_probe_live live;
	char *own = calloc(1, 1 << 20);

	ck_assert_ptr_nonnull(own);
	ck_assert_int_eq(hp_probe_live(own, 1 << 20, NULL, &live), -EPERM);
	ck_assert_int_eq(hp_probe_live(&live, 64, NULL, &live), -EPERM);
	ck_assert_int_eq(hp_probe_live(base, SPAN + page, NULL, &live), -EPERM);
	ck_assert_int_eq(hp_probe_live(base - page, SPAN, NULL, &live), -EPERM);
	ck_assert_int_eq(hp_probe_live(base, 0, NULL, &live), -EPERM);
	ck_assert_int_eq(hp_probe_live(base, SIZE_MAX, NULL, &live), -EINVAL);
	free(own);
}
END_TEST

START_TEST(little_memory_has_a_reason)
{
	struct hp_probe_live live;

	memset(base, 1, HP_MIB);
	ck_assert_int_eq(hp_probe_live(base, page, NULL, &live), 0);
	ck_assert_double_nan(live.ns.value);
	ck_assert_double_nan(live.ratio.value);
	ck_assert_str_ne(live.reason, "");
}
END_TEST

START_TEST(writes_nothing_and_makes_nothing_present)
{
	struct hp_probe_live live;
	char *copy = malloc(SPAN / 2);
	uint64_t before;

	for (size_t i = 0; i < SPAN / 2; i++)
		base[i] = (char)(i * 31);
	memcpy(copy, base, SPAN / 2);
	before = present();
	ck_assert_int_eq(hp_probe_live(base, SPAN, NULL, &live), 0);
	ck_assert_uint_eq(present(), before);
	ck_assert_int_eq(memcmp(base, copy, SPAN / 2), 0);
	if (kernel_can()) {
		ck_assert_uint_eq(live.bytes, before);
		ck_assert_uint_gt(live.chunks.total, 0);
	}
	free(copy);
}
END_TEST

START_TEST(holes_and_forbidden_pages_are_left_out)
{
	struct hp_probe_live live;

	memset(base, 1, SPAN);
	ck_assert_int_eq(mprotect(base + 5 * page, 3 * page, PROT_NONE), 0);
	ck_assert_int_eq(mprotect(base + HP_MIB, page, PROT_READ), 0);
	ck_assert_int_eq(munmap(base + SPAN / 2, 9 * page), 0);
	ck_assert_int_eq(
		madvise(base + SPAN - 9 * page, 7 * page, MADV_DONTNEED), 0);
	ck_assert_int_eq(hp_probe_live(base, SPAN, NULL, &live), 0);
	if (kernel_can())
		ck_assert_uint_eq(live.bytes, SPAN - (3 + 9 + 7) * page);
}
END_TEST

START_TEST(stops_at_once_when_told)
{
	volatile int stop = 1;
	struct hp_probe_options options;
	struct hp_probe_live live;

	memset(base, 1, SPAN);
	hp_probe_options_init(&options);
	options.stop = &stop;
	ck_assert_int_eq(hp_probe_live(NULL, 0, &options, &live), 0);
	ck_assert_uint_eq(live.chunks.total, 0);
	ck_assert_double_nan(live.ns.value);
	ck_assert_str_ne(live.reason, "");
}
END_TEST

START_TEST(intervals_hold_their_values)
{
	struct hp_probe_live live;

	memset(base, 1, SPAN);
	ck_assert_int_eq(hp_probe_live(base, SPAN, NULL, &live), 0);
	if (isnan(live.ns.value)) {
		ck_assert_str_ne(live.reason, "");
		return;
	}
	ck_assert(live.ns.lo <= live.ns.value && live.ns.value <= live.ns.hi);
	ck_assert(live.ns.value > 0);
	ck_assert_uint_le(live.small_bytes, 64 * HP_MIB);
}
END_TEST

/* Positions count present bytes only, whatever lies between them. */
START_TEST(positions_skip_what_is_not_present)
{
	struct hp_live_view view = {.ranges = hp_live_managed};
	uint64_t position[3], address[3] = {0};

	if (!kernel_can())
		return;
	for (size_t i = 0; i < SPAN / page; i += 1)
		if (i % 4 == 0)
			base[i * page] = 1;
	ck_assert_int_eq(madvise(base, SPAN, MADV_NOHUGEPAGE), 0);
	ck_assert_int_eq(madvise(base + page, page, MADV_DONTNEED), 0);
	ck_assert_int_eq(hp_live_view_open(&view), 0);
	ck_assert_int_eq(hp_live_view_count(&view), 0);
	ck_assert_uint_eq(view.bytes, present());
	position[0] = 64;
	position[1] = page;
	position[2] = view.bytes;
	ck_assert_int_eq(hp_live_view_resolve(&view, position, address, 3), 2);
	ck_assert_uint_eq(address[0], (uintptr_t)base + 64);
	ck_assert_uint_gt(address[1], (uintptr_t)base + page);
	hp_live_view_close(&view);
}
END_TEST

static bool in_region(uint64_t address)
{
	return address >= (uintptr_t)base && address < (uintptr_t)base + SPAN;
}

/* all of the region present, and lines of it to walk */
static void open_tables(struct hp_live_view *view,
			struct hp_live_tables *tables)
{
	memset(base, 1, SPAN);
	*view = (struct hp_live_view){.ranges = hp_live_managed};
	ck_assert_int_eq(hp_live_view_open(view), 0);
	ck_assert_int_eq(hp_live_view_count(view), 0);
	ck_assert_int_eq(hp_live_tables_open(tables, 64, 2 * HP_MIB, 1), 0);
	ck_assert_int_eq(hp_live_tables_any(tables, view), 0);
}

static void close_tables(struct hp_live_view *view,
			 struct hp_live_tables *tables)
{
	hp_live_tables_close(tables);
	hp_live_view_close(view);
}

/* else data-dependent prefetchers fetch what the walk is about to wait for */
START_TEST(no_table_is_an_array_of_addresses)
{
	struct hp_live_view view;
	struct hp_live_tables tables;

	if (!kernel_can())
		return;
	open_tables(&view, &tables);
	hp_live_tables_twin(&tables, &view);
	ck_assert_int_eq(hp_live_tables_refresh(&tables, &view), 0);
	for (unsigned int w = 0; w < HP_LIVE_WALKS; w++) {
		const struct hp_live_table *table = &tables.walk[w];

		ck_assert_uint_gt(table->n, 0);
		for (size_t i = 0; i < table->n; i++) {
			ck_assert(table->offset[i] >> 48 != 0);
			ck_assert(w == HP_LIVE_TWIN ||
				  in_region(table->offset[i] + tables.base));
		}
	}
	close_tables(&view, &tables);
}
END_TEST

/* Drawn at random, 37 of 100 equal parts stay without a line. */
START_TEST(lines_come_as_irregularly_as_at_random)
{
	enum { PARTS = HP_LIVE_ANY_LINES, FEWER = 16 };
	struct hp_live_view view;
	static unsigned int in_part[PARTS], in_sixteenth[FEWER];
	struct hp_live_tables tables;
	size_t empty = 0;

	if (!kernel_can())
		return;
	open_tables(&view, &tables);
	ck_assert_uint_eq(tables.walk[HP_LIVE_ANY].n, PARTS);
	for (size_t i = 0; i < PARTS; i++) {
		uint64_t at = tables.walk[HP_LIVE_ANY].offset[i] + tables.base -
			      (uintptr_t)base;

		in_part[at / (SPAN / PARTS)]++;
		in_sixteenth[at / (SPAN / FEWER)]++;
	}
	for (size_t i = 0; i < PARTS; i++)
		empty += in_part[i] == 0;
	ck_assert_uint_gt(empty, PARTS * 30 / 100);
	ck_assert_uint_lt(empty, PARTS * 44 / 100);
	for (size_t i = 0; i < FEWER; i++) {
		ck_assert_uint_gt(in_sixteenth[i], PARTS / FEWER * 85 / 100);
		ck_assert_uint_lt(in_sixteenth[i], PARTS / FEWER * 115 / 100);
	}
	close_tables(&view, &tables);
}
END_TEST

static Suite *live_suite(void)
{
	Suite *suite = suite_create("live");
	TCase *tcase = tcase_create("live");

	tcase_set_timeout(tcase, 120);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, refuses_memory_it_cannot_keep_mapped);
	tcase_add_test(tcase, little_memory_has_a_reason);
	tcase_add_test(tcase, writes_nothing_and_makes_nothing_present);
	tcase_add_test(tcase, holes_and_forbidden_pages_are_left_out);
	tcase_add_test(tcase, stops_at_once_when_told);
	tcase_add_test(tcase, intervals_hold_their_values);
	tcase_add_test(tcase, positions_skip_what_is_not_present);
	tcase_add_test(tcase, no_table_is_an_array_of_addresses);
	tcase_add_test(tcase, lines_come_as_irregularly_as_at_random);
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(live_suite());
}
