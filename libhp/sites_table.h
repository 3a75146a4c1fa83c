/* SPDX-License-Identifier: MIT */
/*
 * sites_table.h - what is known of who asked: stacks, blocks, mappings, slots
 *
 * All of it lies in one mapping on ordinary pages, of which only what is used
 * is touched. One lock guards it; nothing is called and nobody waited for
 * while it is held. Where it cannot be had, or a table is full, the event goes
 * uncounted: hp_sites_lost().
 */
#ifndef HP_SITES_TABLE_H
#define HP_SITES_TABLE_H

#include "libhp/sites.h"

#define HP_SITES_STACKS 16384 /* ids are below; 0: not known */
#define HP_SITES_BUCKET_BITS 13
#define HP_SITES_BUCKETS (1 << HP_SITES_BUCKET_BITS)
#define HP_SITES_BLOCKS ((size_t)HP_SITES_BUCKETS * 8)
#define HP_SITES_NEAR_SHIFT 15
#define HP_SITES_NEARS ((size_t)1 << 18)
#define HP_SITES_MAPS 4096
#define HP_SITES_SLOTS ((size_t)4 << 20)

/* a live block of the heap; addr 0: none */
struct hp_site_block {
	uintptr_t addr;
	uint64_t size;
	uint64_t weight; /* bytes it stands for */
	uint32_t stack;
};

/* a mapping of the program, or a part of one that is left */
struct hp_site_map {
	uintptr_t start, end;
	uint32_t stack;
};

/* hp_sites_tables - 0; -ENOMEM */
HP_MUST_CHECK int hp_sites_tables(void);

/* hp_sites_stack - the id of a stack, a new one if need be; 0 none */
uint32_t hp_sites_stack(const uintptr_t *pcs, unsigned int n);
/* hp_sites_frames - of a known id; the addresses stay where they are */
const uintptr_t *hp_sites_frames(uint32_t stack, unsigned int *n);
/* ids in use are 1 to this less 1 */
uint32_t hp_sites_stacks(void);

void hp_sites_block_add(const struct hp_site_block *block);
void hp_sites_block_drop(const void *addr);

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

/* what was known of [start, end) is forgotten first */
void hp_sites_map_set(uintptr_t start, uintptr_t end, uint32_t stack);
void hp_sites_map_cut(uintptr_t start, uintptr_t end);
/* may any known mapping lie there? needs no lock */
bool hp_sites_map_near(uintptr_t start, uintptr_t end);

/* who had the @i-th slot of the heap made */
uint32_t hp_sites_slot(size_t i);
void hp_sites_slot_set(size_t i, uint32_t stack);

uint64_t hp_sites_lost(void);

/* bytes that all live blocks stand for */
uint64_t hp_sites_held(void);

/* a copy of every live block or mapping, for a look without the lock */
size_t hp_sites_copy_blocks(struct hp_site_block *out);
size_t hp_sites_copy_maps(struct hp_site_map *out);

/* hp_sites_forked - in the child, where the lock's holder may be gone */
void hp_sites_forked(void);

#endif
