/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "probe/chain.h"
#include "probe/kernels.h"
#include "probe/rng.h"
#include "tests/suite.h"

static void *buffer_for(const struct hp_layout *layout)
{
	void *memory = aligned_alloc(4096, (hp_layout_bytes(layout) + 4095) &
						   ~(uint64_t)4095);

	ck_assert_ptr_nonnull(memory);
	return memory;
}

static uint64_t steps_to_return(const struct hp_chain *chain, const void *base)
{
	uintptr_t home = hp_chain_node(chain, base, 0), at = home;
	uint64_t steps = 0;

	do {
		at = *(const uintptr_t *)at ^ chain->key;
		steps++;
	} while (at != home && steps <= chain->layout.nodes);
	return steps;
}

START_TEST(order_visits_every_place_once)
{
	static const uint64_t sizes[] = {1, 2, 3, 5, 64, 1000, 4096, 65537};

	for (size_t s = 0; s < HP_ARRAY_SIZE(sizes); s++) {
		struct hp_visit visit;
		char *seen = calloc(sizes[s], 1);

		hp_visit_init(&visit, sizes[s], s);
		for (uint64_t i = 0; i < sizes[s]; i++) {
			uint64_t place = hp_visit_at(&visit, i);

			ck_assert_uint_lt(place, sizes[s]);
			ck_assert_int_eq(seen[place]++, 0);
		}
		free(seen);
	}
}
END_TEST

START_TEST(order_beyond_32_bits_stays_in_range)
{
	const uint64_t places = ((uint64_t)1 << 40) + 12345;
	struct hp_visit visit;
	uint64_t above = 0;

	hp_visit_init(&visit, places, 7);
	for (uint64_t i = 0; i < 10000; i++) {
		uint64_t place = hp_visit_at(&visit, places - 1 - i);

		ck_assert_uint_lt(place, places);
		above += place > UINT32_MAX;
	}
	ck_assert_uint_gt(above, 9900);
}
END_TEST

START_TEST(order_shows_no_stride)
{
	struct hp_visit visit;
	uint64_t equal = 0;

	hp_visit_init(&visit, 4096, 3);
	for (uint64_t i = 2; i < 4096; i++)
		equal +=
			hp_visit_at(&visit, i) - hp_visit_at(&visit, i - 1) ==
			hp_visit_at(&visit, i - 1) - hp_visit_at(&visit, i - 2);
	ck_assert_uint_lt(equal, 20);
}
END_TEST

START_TEST(same_seed_same_order)
{
	struct hp_visit a, b, c;
	uint64_t differ = 0;

	hp_visit_init(&a, 1000, 5);
	hp_visit_init(&b, 1000, 5);
	hp_visit_init(&c, 1000, 6);
	for (uint64_t i = 0; i < 1000; i++) {
		ck_assert_uint_eq(hp_visit_at(&a, i), hp_visit_at(&b, i));
		differ += hp_visit_at(&a, i) != hp_visit_at(&c, i);
	}
	ck_assert_uint_gt(differ, 900);
}
END_TEST

START_TEST(sparse_lines_spread_over_the_block)
{
	struct hp_layout layout;
	char seen[256] = {0};

	ck_assert_int_eq(hp_layout_sparse(&layout, HP_GIB, 16384, 64), 0);
	ck_assert_uint_eq(layout.nodes, 65536);
	for (uint64_t i = 0; i < layout.nodes; i++) {
		uint64_t offset = hp_layout_offset(&layout, i);

		ck_assert_uint_eq(offset / 16384, i);
		ck_assert_uint_eq(offset % 64, 0);
		seen[offset % 16384 / 64] = 1;
	}
	ck_assert_ptr_null(memchr(seen, 0, sizeof(seen)));
}
END_TEST

START_TEST(sparse_uses_cache_sets_alike)
{
	static const unsigned int sets[] = {64, 256, 1024, 2048, 4096};

	for (size_t s = 0; s < HP_ARRAY_SIZE(sets); s++) {
		unsigned int lines[4096] = {0};
		struct hp_layout layout;

		ck_assert_int_eq(
			hp_layout_sparse(&layout, 128 * HP_MIB, 16384, 64), 0);
		for (uint64_t i = 0; i < layout.nodes; i++)
			lines[hp_layout_offset(&layout, i) / 64 % sets[s]]++;
		for (size_t set = 0; set < sets[s]; set++)
			ck_assert_uint_eq(lines[set], layout.nodes / sets[s]);
	}
}
END_TEST

START_TEST(packed_has_the_same_lines_in_the_fewest_pages)
{
	struct hp_layout sparse, packed;

	ck_assert_int_eq(hp_layout_sparse(&sparse, HP_GIB, 131072, 64), 0);
	hp_layout_packed(&packed, &sparse);
	ck_assert_uint_eq(packed.nodes, sparse.nodes);
	ck_assert_uint_eq(hp_layout_bytes(&packed), sparse.nodes * 64);
}
END_TEST

START_TEST(refuses_layouts_that_cannot_be)
{
	struct hp_layout layout = {.nodes = 77};

	ck_assert_int_eq(hp_layout_dense(&layout, 4096, 0), -EINVAL);
	ck_assert_int_eq(hp_layout_dense(&layout, 4096, 12), -EINVAL);
	ck_assert_int_eq(hp_layout_dense(&layout, 255, 128), -EINVAL);
	ck_assert_int_eq(hp_layout_sparse(&layout, HP_MIB, 64, 128), -EINVAL);
	ck_assert_int_eq(hp_layout_sparse(&layout, HP_MIB, 192, 128), -EINVAL);
	ck_assert_uint_eq(layout.nodes, 77);
}
END_TEST

START_TEST(sizes_beyond_64_bits_do_not_wrap)
{
	struct hp_layout layout = {.nodes = (uint64_t)1 << 40,
				   .spacing = (uint64_t)1 << 30,
				   .line = 64};

	ck_assert_uint_eq(hp_layout_bytes(&layout), UINT64_MAX);
	layout.nodes = (uint64_t)1 << 33;
	layout.spacing = layout.line = 128;
	ck_assert_uint_eq(hp_layout_offset(&layout, layout.nodes - 1),
			  (((uint64_t)1 << 33) - 1) * 128);
}
END_TEST

START_TEST(chain_is_one_cycle)
{
	static const uint64_t nodes[] = {2, 3, 15, 16, 17, 63, 4097, 100000};
	bool masked = _i;

	for (size_t n = 0; n < HP_ARRAY_SIZE(nodes); n++) {
		struct hp_layout layout;
		struct hp_chain chain;
		void *base;

		ck_assert_int_eq(hp_layout_dense(&layout, nodes[n] * 128, 128),
				 0);
		base = buffer_for(&layout);
		hp_chain_init(&chain, &layout, n, masked);
		hp_chain_link(&chain, base);
		ck_assert_uint_eq(steps_to_return(&chain, base), nodes[n]);
		ck_assert_int_eq(hp_chain_verify(&chain, base), 0);
		free(base);
	}
}
END_TEST

/* Swapping two successors cuts one cycle into two. */
static void cut(const struct hp_chain *chain, void *base, uint64_t at)
{
	uintptr_t *a = (uintptr_t *)hp_chain_node(chain, base, 0);
	uintptr_t *b = (uintptr_t *)hp_chain_node(chain, base, at);
	uintptr_t held = *a;

	*a = *b;
	*b = held;
}

START_TEST(verify_finds_a_chain_that_was_cut)
{
	struct hp_layout layout;
	struct hp_chain chain;
	void *base;

	ck_assert_int_eq(hp_layout_dense(&layout, HP_MIB, 128), 0);
	base = buffer_for(&layout);
	hp_chain_init(&chain, &layout, 1, false);
	for (uint64_t at = 1; at < layout.nodes; at += 511) {
		hp_chain_link(&chain, base);
		cut(&chain, base, at);
		ck_assert_int_eq(hp_chain_verify(&chain, base), -EIO);
	}
	free(base);
}
END_TEST

START_TEST(verify_survives_rubbish)
{
	struct hp_layout layout;
	struct hp_chain chain;
	void *base;

	ck_assert_int_eq(hp_layout_dense(&layout, HP_MIB, 128), 0);
	base = buffer_for(&layout);
	hp_chain_init(&chain, &layout, 1, false);
	hp_chain_scatter(base, HP_MIB, 9);
	ck_assert_int_eq(hp_chain_verify(&chain, base), -EIO);
	memset(base, 0, HP_MIB);
	ck_assert_int_eq(hp_chain_verify(&chain, base), -EIO);
	free(base);
}
END_TEST

static bool always(const void *arg)
{
	(*(unsigned int *)(uintptr_t)arg)++;
	return true;
}

START_TEST(quits_when_told)
{
	struct hp_layout layout;
	struct hp_chain chain;
	unsigned int asked = 0;
	uint64_t *base;

	ck_assert_int_eq(hp_layout_dense(&layout, 4 * HP_MIB, 128), 0);
	base = buffer_for(&layout);
	hp_chain_init(&chain, &layout, 1, false);
	hp_chain_link(&chain, base);
	chain.quit = always;
	chain.quit_arg = &asked;
	ck_assert_int_eq(hp_chain_verify(&chain, base), -EINTR);
	ck_assert_uint_eq(asked, 1);
	hp_chain_link(&chain, base);
	ck_assert_uint_eq(asked, 2);
	free(base);
}
END_TEST

START_TEST(masked_chain_holds_no_address_of_the_buffer)
{
	struct hp_layout layout;
	struct hp_chain chain;
	const uintptr_t *base;

	ck_assert_int_eq(hp_layout_dense(&layout, HP_MIB, 8), 0);
	base = buffer_for(&layout);
	hp_chain_init(&chain, &layout, 1, true);
	hp_chain_link(&chain, (void *)base);
	for (size_t i = 0; i < HP_MIB / 8; i++)
		ck_assert(base[i] - (uintptr_t)base >= HP_MIB);
	free((void *)base);
}
END_TEST

START_TEST(link_leaves_the_rest_of_each_line_alone)
{
	struct hp_layout layout;
	struct hp_chain chain;
	unsigned char *base;

	ck_assert_int_eq(hp_layout_dense(&layout, 65536, 128), 0);
	base = buffer_for(&layout);
	memset(base, 0xa5, 65536);
	hp_chain_init(&chain, &layout, 1, false);
	hp_chain_link(&chain, base);
	for (size_t i = 0; i < 65536; i++)
		ck_assert(i % 128 < 8 || base[i] == 0xa5);
	free(base);
}
END_TEST

START_TEST(offsets_are_the_chain_in_order)
{
	struct hp_layout layout;
	struct hp_chain chain;
	uint64_t table[130];

	ck_assert_int_eq(hp_layout_sparse(&layout, 100 * 16384, 16384, 64), 0);
	hp_chain_init(&chain, &layout, 4, false);
	hp_chain_offsets(&chain, 60, table, 130);
	for (size_t i = 0; i < 130; i++)
		ck_assert_uint_eq(table[i],
				  hp_chain_node(&chain, NULL, 60 + i));
}
END_TEST

START_TEST(bounded_numbers_are_uniform)
{
	unsigned int count[7] = {0};
	struct hp_rng rng;

	hp_rng_seed(&rng, 0);
	for (unsigned int i = 0; i < 70000; i++)
		count[hp_rng_below(&rng, 7)]++;
	for (unsigned int i = 0; i < 7; i++)
		ck_assert(count[i] > 9500 && count[i] < 10500);
}
END_TEST

static Suite *chain_suite(void)
{
	Suite *suite = suite_create("chain");
	TCase *order = tcase_create("order");
	TCase *chain = tcase_create("chain");

	tcase_add_test(order, order_visits_every_place_once);
	tcase_add_test(order, order_beyond_32_bits_stays_in_range);
	tcase_add_test(order, order_shows_no_stride);
	tcase_add_test(order, same_seed_same_order);
	tcase_add_test(order, bounded_numbers_are_uniform);
	tcase_add_test(chain, sparse_lines_spread_over_the_block);
	tcase_add_test(chain, sparse_uses_cache_sets_alike);
	tcase_add_test(chain, packed_has_the_same_lines_in_the_fewest_pages);
	tcase_add_test(chain, refuses_layouts_that_cannot_be);
	tcase_add_test(chain, sizes_beyond_64_bits_do_not_wrap);
	tcase_add_loop_test(chain, chain_is_one_cycle, 0, 2);
	tcase_add_test(chain, verify_finds_a_chain_that_was_cut);
	tcase_add_test(chain, verify_survives_rubbish);
	tcase_add_test(chain, quits_when_told);
	tcase_add_test(chain, masked_chain_holds_no_address_of_the_buffer);
	tcase_add_test(chain, link_leaves_the_rest_of_each_line_alone);
	tcase_add_test(chain, offsets_are_the_chain_in_order);
	suite_add_tcase(suite, order);
	suite_add_tcase(suite, chain);
	return suite;
}

int main(void)
{
	return run_suite(chain_suite());
}
