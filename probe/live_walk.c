/* SPDX-License-Identifier: MIT */
#include "probe/live_walk.h"

#include "libhp/common.h"
#include "libhp/gate.h"

/* Loads of one untimed stretch while the gate is shut. */
#define WARM_LOADS ((size_t)8192)

/* Lists walked before a chunk, at most: enough for 1 GiB. */
#define ROAM_MOST 4

/* What one burst needs to know; hp_work_fn's argument. */
struct burst {
	struct hp_live_walker *walker;
	enum hp_live_walk which;
};

static size_t walk_on(void *arg, size_t units)
{
	struct burst *burst = arg;
	static const struct hp_kernel *blind;

	if (!blind)
		blind = hp_kernel_find("blind");
	return blind->run(&burst->walker->walk[burst->which], units);
}

static void point_walk(struct hp_live_walker *walker, enum hp_live_walk which)
{
	struct hp_live_table *table = &walker->tables.walk[which];
	struct hp_walk *walk = &walker->walk[which];

	walk->base = walker->tables.base;
	walk->table = table->offset;
	walk->entries = table->n;
	if (walk->entry >= table->n)
		walk->entry = 0;
}

static int refresh(struct hp_live_walker *walker, uint64_t stamp)
{
	struct hp_live_view *view = walker->view;
	int err = 0;

	if (walker->stamped && walker->stamp == stamp)
		return 0;
	walker->stamped = false;
	err = hp_live_view_count(view);
	if (!err)
		err = hp_live_tables_refresh(&walker->tables, view);
	if (err)
		return err;
	for (unsigned int w = HP_LIVE_SPREAD; w < HP_LIVE_WALKS; w++)
		point_walk(walker, w);
	walker->walk[HP_LIVE_ANY].entries = 0; /* until ready_any() */
	walker->stamp = stamp;
	walker->stamped = true;
	return 0;
}

void hp_live_block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

static bool pin(struct hp_live_walker *walker, sigset_t *before)
{
	uint64_t stamp;

	hp_live_block_signals(before);
	if (hp_gate_shut(&stamp)) {
		if (refresh(walker, stamp) == 0)
			return true;
		hp_gate_open();
	}
	pthread_sigmask(SIG_SETMASK, before, NULL);
	return false;
}

static void unpin(const sigset_t *before)
{
	hp_gate_open();
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

static bool renew_any(struct hp_live_walker *walker)
{
	if (hp_live_tables_any(&walker->tables, walker->view) ||
	    walker->tables.walk[HP_LIVE_ANY].n == 0)
		return false;
	walker->walk[HP_LIVE_ANY].entry = 0;
	point_walk(walker, HP_LIVE_ANY);
	return true;
}

static bool is_cached(enum hp_live_walk which)
{
	return which == HP_LIVE_SPREAD || which == HP_LIVE_PACKED;
}

/* A line visited twice in one chunk would be found in the cache. */
static size_t most_units(const struct hp_live_walker *walker,
			 enum hp_live_walk which)
{
	if (is_cached(which))
		return SIZE_MAX;
	if (which == HP_LIVE_ANY)
		return HP_LIVE_ANY_LINES / 2;
	return walker->walk[which].entries / 2;
}

static size_t units_of(struct hp_live_walker *walker, enum hp_live_walk which)
{
	struct burst burst = {walker, which};
	struct hp_work work = {walk_on, &burst, 0};
	size_t *units = &walker->units[which];

	if (!*units)
		*units = hp_sample_units(&walker->sampler, &work);
	*units = hp_min(*units, most_units(walker, which));
	return *units;
}

static void do_chunk(struct hp_live_walker *walker, enum hp_live_walk which,
		     struct hp_chunk *chunk)
{
	struct burst burst = {walker, which};
	struct hp_work work = {walk_on, &burst, 0};
	size_t units = units_of(walker, which);

	if (is_cached(which))
		work.warm_units = walker->walk[which].entries;
	hp_sample_chunk(&walker->sampler, &work, units, chunk);
}

/* Has there been a change since roam()? Its list is void, but not its work. */
static bool ready_any(struct hp_live_walker *walker)
{
	if (walker->walk[HP_LIVE_ANY].entries)
		return true;
	if (!renew_any(walker))
		return false;
	walk_on(&(struct burst){walker, HP_LIVE_ANY}, WARM_LOADS);
	return true;
}

static bool pinned_chunk(struct hp_live_walker *walker, enum hp_live_walk which,
			 struct hp_chunk *chunk)
{
	sigset_t before;
	bool done = false;

	if (!pin(walker, &before))
		return false;
	if ((which != HP_LIVE_ANY || ready_any(walker)) &&
	    walker->walk[which].entries) {
		do_chunk(walker, which, chunk);
		done = true;
	}
	unpin(&before);
	return done;
}

static bool roam_on(struct hp_live_walker *walker, bool anew)
{
	sigset_t before;
	bool ready;

	if (!pin(walker, &before))
		return false;
	ready = anew ? renew_any(walker) : ready_any(walker);
	if (ready)
		walk_on(&(struct burst){walker, HP_LIVE_ANY}, WARM_LOADS);
	unpin(&before);
	return ready && !hp_sampler_done(&walker->sampler);
}

/*
 * What a load costs is also how long ago the page tables on its way were used.
 * In a program busy with all of its memory that is, for a line of their
 * entries, about as many loads as there are such lines. So between the last
 * chunk, which was somewhere else, and this one come three times as many, all
 * over the memory, with few breaks: while 0.5 ms went by without a load, a
 * shared cache lost so much that the next 8000 took 30 % longer. The end of the
 * last list is the chunk's.
 */
static void roam(struct hp_live_walker *walker)
{
	const struct hp_live_view *view = walker->view;
	uint64_t entries = walker->tables.line / sizeof(uint64_t);
	uint64_t lines = view->bytes / (view->page * entries);
	uint64_t lists = hp_min(1 + 3 * lines / HP_LIVE_ANY_LINES, ROAM_MOST);
	size_t units = walker->units[HP_LIVE_ANY];
	size_t stretches;

	if (!units)
		units = most_units(walker, HP_LIVE_ANY);
	stretches = (HP_LIVE_ANY_LINES - units) / WARM_LOADS;
	for (uint64_t i = 0; i < lists * stretches; i++)
		if (!roam_on(walker, i % stretches == 0))
			return;
}

/*
 * Of the sampled pages each is visited as seldom as one of so many small ones
 * is; other lines of those the next chunk visits come first, so that none is
 * reached through page tables used by nobody else.
 */
static void warm_pages(struct hp_live_walker *walker, enum hp_live_walk which)
{
	struct hp_live_table *table = &walker->tables.walk[which];
	struct burst burst = {walker, which};
	sigset_t before;

	if (!pin(walker, &before))
		return;
	if (table->n > 0) {
		size_t entry, n = units_of(walker, which);

		entry = walker->walk[which].entry;
		hp_live_table_turn(table, entry, n);
		walk_on(&burst, n);
		hp_live_table_turn(table, entry, n);
		walker->walk[which].entry = entry;
	}
	unpin(&before);
}

bool hp_live_walker_chunk(struct hp_live_walker *walker,
			  enum hp_live_walk which, struct hp_chunk *chunk)
{
	if (which == HP_LIVE_ANY)
		roam(walker);
	else if (!is_cached(which))
		warm_pages(walker, which);
	return pinned_chunk(walker, which, chunk);
}

void hp_live_walker_visit(struct hp_live_walker *walker,
			  enum hp_live_walk which)
{
	size_t left = walker->tables.walk[which].n;

	for (; left > WARM_LOADS; left -= WARM_LOADS) {
		struct burst burst = {walker, which};
		sigset_t before;

		if (hp_sampler_done(&walker->sampler) || !pin(walker, &before))
			return;
		walk_on(&burst, WARM_LOADS);
		unpin(&before);
	}
}
