/* SPDX-License-Identifier: MIT */
#include "probe/live_tables.h"

#include "libhp/common.h"
#include "libhp/linux.h"
#include "probe/rng.h"
#include "probe/visit.h"

/* far from the first, whose neighbours a prefetcher may take for wanted */
#define OTHER_LINE 2048

static const size_t lengths[HP_LIVE_WALKS] = {
	[HP_LIVE_ANY] = HP_LIVE_ANY_LINES,
	[HP_LIVE_SPREAD] = HP_LIVE_CACHED_LINES,
	[HP_LIVE_PACKED] = HP_LIVE_CACHED_LINES,
	[HP_LIVE_NEAR] = HP_LIVE_PAGES * HP_LIVE_PAGE_LINES,
	[HP_LIVE_TWIN] = HP_LIVE_PAGES * HP_LIVE_PAGE_LINES,
};

static size_t words_needed(void)
{
	size_t words = HP_LIVE_ANY_LINES + HP_LIVE_PAGES;

	for (unsigned int w = 0; w < HP_LIVE_WALKS; w++)
		words += lengths[w];
	return words;
}

static void carve(struct hp_live_tables *tables)
{
	uint64_t *at = tables->memory;

	for (unsigned int w = 0; w < HP_LIVE_WALKS; w++) {
		tables->walk[w].offset = at;
		at += lengths[w];
	}
	tables->scratch = at;
	tables->sampled = at + HP_LIVE_ANY_LINES;
}

int hp_live_tables_open(struct hp_live_tables *tables, uint64_t line,
			uint64_t cache, uint64_t seed)
{
	size_t page = hp_linux_page_size();
	size_t bytes = hp_align_up(words_needed() * sizeof(uint64_t), page);
	long got =
		hp_linux_map(NULL, bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (hp_linux_failed(got))
		return (int)got;
	*tables = (struct hp_live_tables){
		.memory = (void *)got,
		.memory_bytes = bytes,
		.line = line,
		.cached = hp_min(cache / 4 / line, HP_LIVE_CACHED_LINES),
		.page = page,
		.base = hp_align_down(hp_rng_mix(seed) >> 1 | (uint64_t)1 << 62,
				      page),
		.seed = seed,
	};
	carve(tables);
	return 0;
}

void hp_live_tables_close(struct hp_live_tables *tables)
{
	if (tables->twin)
		hp_linux_unmap((void *)tables->twin, tables->twin_bytes);
	hp_linux_unmap(tables->memory, tables->memory_bytes);
}

/* A random one of the units of part @i, @n equal parts making up @units. */
static uint64_t pick(struct hp_rng *rng, uint64_t units, size_t i, size_t n)
{
	uint64_t from = units * i / n;
	uint64_t here = units * (i + 1) / n - from;

	return from + (here ? hp_rng_below(rng, here) : 0);
}

/* One random unit of each of @n equal parts of [0, @total), ascending. */
static void choose(struct hp_live_tables *tables, uint64_t *position, size_t n,
		   uint64_t total, uint64_t unit)
{
	struct hp_rng rng;

	hp_rng_seed(&rng, tables->seed++);
	for (size_t i = 0; i < n; i++)
		position[i] = unit * pick(&rng, total / unit, i, n);
}

/*
 * About -log2 of a random number in (0, 1], in units of 2^-32: the exponent is
 * exact, within an octave a straight line stands for the curve.
 */
static uint64_t gap(struct hp_rng *rng)
{
	uint64_t random = hp_rng_next(rng) | 1;
	unsigned int zeros = (unsigned int)__builtin_clzll(random);

	return ((uint64_t)(zeros + 1) << 32) - (random << zeros << 1 >> 32);
}

/*
 * @n random lines of [0, @total), ascending: as far from each other as random
 * ones are once they are sorted, so that page tables are come back to as
 * irregularly as a program does. Fast, as caches grow cold meanwhile.
 */
static void draw(struct hp_live_tables *tables, uint64_t *position, size_t n,
		 uint64_t total)
{
	uint64_t sum = 0;
	struct hp_rng rng;
	double lines;

	hp_rng_seed(&rng, tables->seed++);
	for (size_t i = 0; i < n; i++) {
		sum += gap(&rng);
		position[i] = sum;
	}
	lines = (double)(total / tables->line) / (double)(sum + gap(&rng));
	for (size_t i = 0; i < n; i++)
		position[i] =
			(uint64_t)((double)position[i] * lines) * tables->line;
}

/*
 * Some processors know an array of addresses when it is read in order, and
 * fetch what the next ones point to: loads that wait for each other then took
 * 60 to 180 ns where those of a chase took 172. They leave alone what could be
 * no address, as these are once the base is taken off.
 */
static void hide(const struct hp_live_tables *tables,
		 struct hp_live_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		table->offset[i] -= tables->base;
}

/* Fisher-Yates: the order of the table is the order of the walk. */
static void shuffle(struct hp_live_tables *tables, struct hp_live_table *table)
{
	struct hp_rng rng;

	hp_rng_seed(&rng, tables->seed++);
	for (size_t i = table->n; i > 1; i--) {
		size_t j = (size_t)hp_rng_below(&rng, i);
		uint64_t held = table->offset[i - 1];

		table->offset[i - 1] = table->offset[j];
		table->offset[j] = held;
	}
}

/* What lies at the first @n positions of scratch, in random order. */
static int fill(struct hp_live_tables *tables, struct hp_live_view *view,
		struct hp_live_table *table, size_t n)
{
	long found =
		hp_live_view_resolve(view, tables->scratch, table->offset, n);

	if (found < 0)
		return (int)found;
	table->n = (size_t)found;
	hide(tables, table);
	shuffle(tables, table);
	return 0;
}

int hp_live_tables_any(struct hp_live_tables *tables, struct hp_live_view *view)
{
	size_t n = hp_min(HP_LIVE_ANY_LINES, view->bytes / tables->line);

	draw(tables, tables->scratch, n, view->bytes);
	return fill(tables, view, &tables->walk[HP_LIVE_ANY], n);
}

static int fill_spread(struct hp_live_tables *tables, struct hp_live_view *view)
{
	size_t n = hp_min(tables->cached, view->run_bytes / tables->line);

	choose(tables, tables->scratch, n, view->bytes, tables->line);
	return fill(tables, view, &tables->walk[HP_LIVE_SPREAD], n);
}

static void fill_packed(struct hp_live_tables *tables,
			const struct hp_live_view *view)
{
	struct hp_live_table *table = &tables->walk[HP_LIVE_PACKED];

	table->n = tables->walk[HP_LIVE_SPREAD].n;
	for (size_t i = 0; i < table->n; i++)
		table->offset[i] = view->run_start + i * tables->line;
	hide(tables, table);
	shuffle(tables, table);
}

/* Line @i of the sample, the same one here and in the twin. */
static uint64_t line_in_page(const struct hp_live_tables *tables, size_t i)
{
	uint64_t lines = tables->page / tables->line;

	return (hp_rng_mix(i / HP_LIVE_PAGE_LINES) + i) % lines * tables->line;
}

static int fill_sampled(struct hp_live_tables *tables,
			struct hp_live_view *view)
{
	struct hp_live_table *near = &tables->walk[HP_LIVE_NEAR];
	struct hp_live_table *twin = &tables->walk[HP_LIVE_TWIN];
	uint64_t *page = tables->scratch;
	struct hp_visit visit;
	long found = hp_live_view_resolve(view, tables->sampled, page,
					  tables->nsampled);

	if (found <= 0)
		return (int)found;
	near->n = twin->n = (size_t)found * HP_LIVE_PAGE_LINES;
	hp_visit_init(&visit, near->n, tables->seed++);
	for (size_t i = 0; i < near->n; i++) {
		size_t k = (size_t)hp_visit_at(&visit, i);
		uint64_t line = line_in_page(tables, k);

		k /= HP_LIVE_PAGE_LINES;
		near->offset[i] = page[k] + line;
		twin->offset[i] = tables->twin + tables->sampled[k] + line;
	}
	hide(tables, near);
	hide(tables, twin);
	return 0;
}

int hp_live_tables_refresh(struct hp_live_tables *tables,
			   struct hp_live_view *view)
{
	int err = fill_spread(tables, view);

	if (err)
		return err;
	fill_packed(tables, view);
	return tables->twin ? fill_sampled(tables, view) : 0;
}

static void touch_sampled(const struct hp_live_tables *tables)
{
	for (size_t i = 0; i < tables->nsampled; i++)
		*(volatile char *)(tables->twin + tables->sampled[i]) = 0;
}

void hp_live_tables_twin(struct hp_live_tables *tables,
			 const struct hp_live_view *view)
{
	size_t bytes = hp_align_up(view->bytes, tables->page);
	long got = hp_linux_map(NULL, bytes, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				0);

	if (hp_linux_failed(got))
		return;
	/* Fails where the kernel knows no huge pages, which is as good. */
	hp_linux_advise((void *)got, bytes, MADV_NOHUGEPAGE);
	tables->twin = (uintptr_t)got;
	tables->twin_bytes = bytes;
	tables->nsampled = hp_min(HP_LIVE_PAGES, bytes / tables->page);
	choose(tables, tables->sampled, tables->nsampled, bytes, tables->page);
	touch_sampled(tables);
}

void hp_live_table_turn(struct hp_live_table *table, size_t first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table->offset[(first + i) % table->n] ^= OTHER_LINE;
}
