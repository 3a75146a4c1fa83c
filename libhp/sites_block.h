/* SPDX-License-Identifier: MIT */
/*
 * sites_block.h - live blocks of the heap whose call stacks are known
 *
 * A table of its own, with a lock of its own; otherwise as sites_table.h says.
 */
#ifndef HP_SITES_BLOCK_H
#define HP_SITES_BLOCK_H

#include "libhp/common.h"

#define HP_SITES_BUCKET_BITS 13
#define HP_SITES_BUCKETS (1 << HP_SITES_BUCKET_BITS)
#define HP_SITES_BLOCKS ((size_t)HP_SITES_BUCKETS * 8)
#define HP_SITES_NEAR_SHIFT 15
#define HP_SITES_NEARS ((size_t)1 << 18)

/* a live block of the heap; addr 0: none */
struct hp_site_block {
	uintptr_t addr;
	uint64_t size;
	uint64_t weight; /* bytes it stands for */
	uint32_t stack;
};

/* hp_sites_blocks_open - 0; -ENOMEM */
HP_MUST_CHECK int hp_sites_blocks_open(void);

void hp_sites_block_add(const struct hp_site_block *block);
void hp_sites_block_drop(const void *addr);

/* hp_sites_block_find - false, and @out as it was: not there */
bool hp_sites_block_find(const void *addr, struct hp_site_block *out);

/*
 * The part of hp_sites_block_drop() every free pays for: how many blocks there
 * are in 32 KiB around, which turns most away and stays in the first cache,
 * and eight tags a bucket.
 */
extern HP_HIDDEN uint8_t *hp_sites_near;
extern HP_HIDDEN uint64_t *hp_sites_tags;

static inline size_t hp_sites_nearby(const void *addr)
{
	return (uintptr_t)addr >> HP_SITES_NEAR_SHIFT & (HP_SITES_NEARS - 1);
}

static inline uint64_t hp_sites_hash(const void *addr)
{
	return ((uintptr_t)addr >> 3) * 0x9e3779b97f4a7c15u;
}

static inline unsigned int hp_sites_bucket(uint64_t hash)
{
	return (unsigned int)(hash >> (64 - HP_SITES_BUCKET_BITS));
}

/* never 0, which marks a free place */
static inline uint64_t hp_sites_tag(uint64_t hash)
{
	return (hash >> 40 & 0xff) | 1;
}

static inline bool hp_sites_is_tagged(const void *addr)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t hash = hp_sites_hash(addr);
	uint64_t x = __atomic_load_n(&hp_sites_tags[hp_sites_bucket(hash)],
				     __ATOMIC_RELAXED) ^
		     hp_sites_tag(hash) * ones;

	/* has it a byte that is 0? */
	return ((x - ones) & ~x & ones << 7) != 0;
}

/* hp_sites_block_maybe - false: certainly not one that was added */
static inline bool hp_sites_block_maybe(const void *addr)
{
	return HP_UNLIKELY(
		       HP_READ_ONCE(hp_sites_near[hp_sites_nearby(addr)])) &&
	       hp_sites_is_tagged(addr);
}

/* bytes that all live blocks stand for */
uint64_t hp_sites_held(void);

/* a copy of every live block, for a look without the lock */
size_t hp_sites_copy_blocks(struct hp_site_block *out);

/* hp_sites_blocks_forked - in the child, where the lock's holder may be gone */
void hp_sites_blocks_forked(void);

#endif
