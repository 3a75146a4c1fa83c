/* SPDX-License-Identifier: MIT */
/*
 * chain.h - chains of dependent loads laid over a buffer
 *
 * A node is one pointer at the start of one cache line; the rest of the line
 * stays as it was, because data-dependent prefetchers follow anything there
 * that looks like a pointer. Node i lies at
 *
 *	i * spacing + ((i + i / slots) mod slots) * line, slots = spacing / line
 *
 * so that widely spaced nodes use every cache set alike instead of the one
 * set that slot 0 of each block falls into. The shift by one after each run
 * over the slots matters: without it i mod slots decides the block's place in
 * a larger cache too, and only as many sets as slots are used. With spacing
 * == line all this is a plain array of lines. Nodes are linked in the order of
 * probe/visit.h, one cycle by construction; hp_chain_verify() proves it.
 *
 * All sizes in bytes. Nothing here allocates; buffers belong to the caller.
 */
#ifndef HP_CHAIN_H
#define HP_CHAIN_H

#include <stddef.h>
#include <stdint.h>

#include "libhp/common.h"
#include "probe/visit.h"

enum { HP_CHAIN_STREAMS_MAX = 16 };

struct hp_layout {
	uint64_t nodes;	  /* how many */
	uint64_t spacing; /* bytes from one block to the next */
	uint64_t line;	  /* bytes of a slot inside a block; divides spacing */
};

struct hp_chain {
	struct hp_layout layout;
	struct hp_visit visit;
	uint64_t key; /* each stored pointer is XORed with it; 0 = raw */
	/* asked now and then while linking and verifying; may be NULL */
	bool (*quit)(const void *arg);
	const void *quit_arg;
};

/**
 * hp_layout_dense - one node every @spacing bytes of @span
 * @layout:  receives the layout; untouched on failure
 * @span:    bytes to cover
 * @spacing: bytes between nodes, a multiple of 8
 *
 * Return: 0; -EINVAL if @spacing is not such a multiple or @span holds less
 * than two nodes.
 */
int hp_layout_dense(struct hp_layout *layout, uint64_t span,
		    uint64_t spacing) HP_MUST_CHECK;

/**
 * hp_layout_sparse - one line in every block of @span, at a moving slot
 * @layout: receives the layout; untouched on failure
 * @span:   bytes to cover
 * @block:  bytes per block, a multiple of @line
 * @line:   bytes of a cache line, a multiple of 8
 *
 * Return: 0; -EINVAL as for hp_layout_dense().
 */
int hp_layout_sparse(struct hp_layout *layout, uint64_t span, uint64_t block,
		     uint64_t line) HP_MUST_CHECK;

/**
 * hp_layout_packed - as many lines as @sparse, in the fewest pages
 * @layout: receives the layout
 * @sparse: the layout whose translation cost is to be isolated
 */
void hp_layout_packed(struct hp_layout *layout, const struct hp_layout *sparse);

/**
 * hp_layout_bytes - bytes a buffer must have to hold @layout
 * @layout: a valid layout
 *
 * Return: the bytes, UINT64_MAX when they do not fit 64 bits.
 */
uint64_t hp_layout_bytes(const struct hp_layout *layout);

/**
 * hp_layout_offset - where node @i lies
 * @layout: a valid layout
 * @i:      0 .. nodes - 1
 *
 * Return: bytes from the start of the buffer.
 */
uint64_t hp_layout_offset(const struct hp_layout *layout, uint64_t i);

/**
 * hp_chain_init - choose layout, order and key of a chain that never quits
 * @chain:  receives it
 * @layout: where the nodes lie
 * @seed:   which order
 * @masked: true stores pointers XORed with a key, so that no line holds
 *          anything a prefetcher could take for an address
 */
void hp_chain_init(struct hp_chain *chain, const struct hp_layout *layout,
		   uint64_t seed, bool masked);

/**
 * hp_chain_link - write the chain into @base
 * @chain: an initialised chain
 * @base:  hp_layout_bytes() writable bytes, 8-byte aligned
 *
 * Touches every node once. The same chain may be linked into many buffers. If
 * it quits, the chain is not whole, and verifying quits or fails.
 */
void hp_chain_link(const struct hp_chain *chain, void *base);

/**
 * hp_chain_verify - walk the linked chain once and prove it is one cycle
 * @chain: the chain linked into @base
 * @base:  the buffer
 *
 * Sixteen walkers share the lap, so it costs a fraction of a dependent one;
 * it serves as the warm lap before timing as well.
 *
 * Return: 0; -EIO if the walk closes early, late, or leaves its path; -EINTR
 * it was told to quit.
 */
int hp_chain_verify(const struct hp_chain *chain,
		    const void *base) HP_MUST_CHECK;

/**
 * hp_chain_node - address of the node visited at @step
 * @chain: an initialised chain
 * @base:  the buffer
 * @step:  taken modulo the number of nodes
 *
 * Return: the address, as the kernels of probe/kernels.h want it.
 */
uintptr_t hp_chain_node(const struct hp_chain *chain, const void *base,
			uint64_t step);

/**
 * hp_chain_offsets - the visiting order as a table, for walks that must not
 *		      write into the memory they measure
 * @chain:  an initialised chain
 * @first:  step the table starts with
 * @table:  receives @n offsets in bytes, @first's first; wraps at the end
 * @n:      entries of @table
 */
void hp_chain_offsets(const struct hp_chain *chain, uint64_t first,
		      uint64_t *table, size_t n);

/**
 * hp_chain_scatter - fill @base with random words for the random-with-
 *		      replacement kernel
 * @base:  8-byte aligned memory
 * @bytes: a multiple of 8
 * @seed:  which words
 */
void hp_chain_scatter(void *base, size_t bytes, uint64_t seed);

#endif
