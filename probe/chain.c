/* SPDX-License-Identifier: MIT */
#include "probe/chain.h"

#include "probe/rng.h"

enum { WALKERS = 16, QUIT_STEPS = 4096 };

static bool layout_is_valid(uint64_t span, uint64_t spacing, uint64_t line)
{
	return line >= sizeof(uint64_t) && line % sizeof(uint64_t) == 0 &&
	       spacing >= line && spacing % line == 0 && span / spacing >= 2;
}

int hp_layout_sparse(struct hp_layout *layout, uint64_t span, uint64_t block,
		     uint64_t line)
{
	if (!layout_is_valid(span, block, line))
		return -EINVAL;
	layout->nodes = span / block;
	layout->spacing = block;
	layout->line = line;
	return 0;
}

int hp_layout_dense(struct hp_layout *layout, uint64_t span, uint64_t spacing)
{
	return hp_layout_sparse(layout, span, spacing, spacing);
}

void hp_layout_packed(struct hp_layout *layout, const struct hp_layout *sparse)
{
	layout->nodes = sparse->nodes;
	layout->spacing = sparse->line;
	layout->line = sparse->line;
}

uint64_t hp_layout_bytes(const struct hp_layout *layout)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(layout->nodes, layout->spacing, &bytes))
		return UINT64_MAX;
	return bytes;
}

uint64_t hp_layout_offset(const struct hp_layout *layout, uint64_t i)
{
	uint64_t slots = layout->spacing / layout->line;

	return i * layout->spacing + (i + i / slots) % slots * layout->line;
}

void hp_chain_init(struct hp_chain *chain, const struct hp_layout *layout,
		   uint64_t seed, bool masked)
{
	*chain = (struct hp_chain){
		.layout = *layout,
		.key = masked ? hp_rng_mix(~seed) : 0,
	};
	hp_visit_init(&chain->visit, layout->nodes, seed);
}

static uint64_t offset_at(const struct hp_chain *chain, uint64_t step)
{
	uint64_t place = hp_visit_at(&chain->visit, step);

	return hp_layout_offset(&chain->layout, place);
}

uintptr_t hp_chain_node(const struct hp_chain *chain, const void *base,
			uint64_t step)
{
	step %= chain->layout.nodes;
	return (uintptr_t)base + offset_at(chain, step);
}

/* In a machine that swaps, a million nodes can take a minute. */
static bool quits(const struct hp_chain *chain, uint64_t step)
{
	return step % QUIT_STEPS == 0 && chain->quit &&
	       chain->quit(chain->quit_arg);
}

void hp_chain_link(const struct hp_chain *chain, void *base)
{
	uint64_t nodes = chain->layout.nodes;
	uintptr_t from = hp_chain_node(chain, base, 0);

	for (uint64_t step = 1; step <= nodes && !quits(chain, step); step++) {
		uintptr_t to = hp_chain_node(chain, base, step);

		*(uintptr_t *)from = to ^ chain->key;
		from = to;
	}
}

static uint64_t walker_start(const struct hp_chain *chain, uint64_t walker)
{
	unsigned __int128 wide =
		(unsigned __int128)chain->layout.nodes * walker;

	return (uint64_t)(wide / WALKERS);
}

struct walkers {
	uintptr_t at[WALKERS];
	uint64_t steps[WALKERS]; /* length of each one's share of the lap */
	uintptr_t home;		 /* where the whole lap starts and must end */
	uintptr_t base, key;
	uint64_t bytes;
};

/*
 * A closed walk of n steps may still be a shorter cycle walked several times;
 * then somebody meets the start of the lap before its last step.
 */
static bool walker_step(struct walkers *all, unsigned int w, uint64_t done)
{
	bool last = w == WALKERS - 1 && done + 1 == all->steps[w];
	uintptr_t at = *(const uintptr_t *)all->at[w] ^ all->key;

	all->at[w] = at;
	return at - all->base < all->bytes && (at == all->home) == last;
}

static bool walkers_step(struct walkers *all, uint64_t done)
{
	bool good = true;

	for (unsigned int w = 0; w < WALKERS; w++)
		if (done < all->steps[w])
			good &= walker_step(all, w, done);
	return good;
}

static uint64_t walkers_place(struct walkers *all, const struct hp_chain *chain,
			      const void *base)
{
	uint64_t longest = 0;

	all->base = (uintptr_t)base;
	all->key = chain->key;
	all->bytes = hp_layout_bytes(&chain->layout);
	all->home = hp_chain_node(chain, base, 0);
	for (unsigned int w = 0; w < WALKERS; w++) {
		uint64_t first = walker_start(chain, w);

		all->at[w] = hp_chain_node(chain, base, first);
		all->steps[w] = walker_start(chain, w + 1) - first;
		longest = hp_max(longest, all->steps[w]);
	}
	return longest;
}

int hp_chain_verify(const struct hp_chain *chain, const void *base)
{
	struct walkers all;
	uint64_t longest = walkers_place(&all, chain, base);

	for (uint64_t done = 0; done < longest; done++) {
		if (quits(chain, done))
			return -EINTR;
		if (!walkers_step(&all, done))
			return -EIO;
	}
	for (unsigned int w = 0; w < WALKERS; w++) {
		uint64_t next = walker_start(chain, w + 1);

		if (all.at[w] != hp_chain_node(chain, base, next))
			return -EIO;
	}
	return 0;
}

void hp_chain_offsets(const struct hp_chain *chain, uint64_t first,
		      uint64_t *table, size_t n)
{
	for (size_t i = 0; i < n; i++)
		table[i] = offset_at(chain, (first + i) % chain->layout.nodes);
}

void hp_chain_scatter(void *base, size_t bytes, uint64_t seed)
{
	uint64_t *word = base;

	for (size_t i = 0; i < bytes / sizeof(*word); i++)
		word[i] = hp_rng_mix(seed + i);
}
