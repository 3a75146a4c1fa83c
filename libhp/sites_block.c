/* SPDX-License-Identifier: MIT */
#include "libhp/sites_block.h"

#include "libhp/linux.h"
#include "libhp/lock.h"
#include "libhp/sites_table.h"

struct table {
	uint8_t near[HP_SITES_NEARS]; /* UINT8_MAX stays */
	uint64_t tags[HP_SITES_BUCKETS];
	uint16_t places[HP_SITES_BUCKETS][8]; /* which block, 0: none */
	struct hp_site_block blocks[HP_SITES_BLOCKS];
};

static struct hp_lock lock; /* guards all; near and tags are read without */
static struct table *table;
static size_t nblocks = 1;
static uint16_t unused; /* the first of the blocks that went, by .weight */
static uint64_t held;
uint8_t *hp_sites_near;
uint64_t *hp_sites_tags;

int hp_sites_blocks_open(void)
{
	long ret = hp_linux_map(NULL, sizeof(*table), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				0);

	if (hp_linux_failed(ret))
		return (int)ret;
	hp_linux_advise((void *)ret, sizeof(*table), MADV_NOHUGEPAGE);
	table = (struct table *)ret;
	hp_sites_near = table->near;
	hp_sites_tags = table->tags;
	return 0;
}

static bool take(void)
{
	if (table && hp_lock_take(&lock))
		return true;
	hp_sites_lose();
	return false;
}

static void set_tag(unsigned int bucket, unsigned int place, uint64_t tag)
{
	uint64_t word = table->tags[bucket];

	word &= ~((uint64_t)0xff << (8 * place));
	word |= tag << (8 * place);
	__atomic_store_n(&table->tags[bucket], word, __ATOMIC_RELAXED);
}

static struct hp_site_block *block_at(unsigned int bucket, unsigned int place)
{
	return &table->blocks[table->places[bucket][place]];
}

/* where @addr is, else a free place, else 8 */
static unsigned int find_place(unsigned int bucket, uintptr_t addr)
{
	unsigned int found = 8;

	for (unsigned int i = 0; i < 8; i++) {
		if (table->places[bucket][i] == 0)
			found = hp_min(found, i);
		else if (block_at(bucket, i)->addr == addr)
			return i;
	}
	return found;
}

static uint16_t take_block(void)
{
	uint16_t taken = unused;

	if (!taken)
		return nblocks < HP_SITES_BLOCKS ? (uint16_t)nblocks++ : 0;
	unused = (uint16_t)table->blocks[taken].weight;
	table->blocks[taken].weight = 0;
	return taken;
}

static void give_block(uint16_t gone)
{
	table->blocks[gone] = (struct hp_site_block){.weight = unused};
	unused = gone;
}

static void count_near(uintptr_t addr, int change)
{
	uint8_t *near = &table->near[hp_sites_nearby((void *)addr)];

	if (*near < UINT8_MAX)
		__atomic_store_n(near, (uint8_t)(*near + change),
				 __ATOMIC_RELAXED);
}

static bool add_block(const struct hp_site_block *block)
{
	uint64_t hash = hp_sites_hash((void *)block->addr);
	unsigned int bucket = hp_sites_bucket(hash);
	unsigned int i = find_place(bucket, block->addr);

	if (i == 8)
		return false;
	if (!table->places[bucket][i]) {
		table->places[bucket][i] = take_block();
		if (!table->places[bucket][i])
			return false;
		count_near(block->addr, 1);
		set_tag(bucket, i, hp_sites_tag(hash));
	}
	held += block->weight - block_at(bucket, i)->weight;
	*block_at(bucket, i) = *block;
	return true;
}

void hp_sites_block_add(const struct hp_site_block *block)
{
	if (!take())
		return;
	if (!add_block(block))
		hp_sites_lose();
	hp_lock_drop(&lock);
}

static void drop_block(uintptr_t addr)
{
	unsigned int bucket = hp_sites_bucket(hp_sites_hash((void *)addr));
	unsigned int i = find_place(bucket, addr);

	if (i == 8 || !table->places[bucket][i])
		return;
	held -= block_at(bucket, i)->weight;
	give_block(table->places[bucket][i]);
	table->places[bucket][i] = 0;
	count_near(addr, -1);
	set_tag(bucket, i, 0);
}

void hp_sites_block_drop(const void *addr)
{
	if (!take())
		return;
	drop_block((uintptr_t)addr);
	hp_lock_drop(&lock);
}

static bool find_block(uintptr_t addr, struct hp_site_block *out)
{
	unsigned int bucket = hp_sites_bucket(hp_sites_hash((void *)addr));
	unsigned int i = find_place(bucket, addr);

	if (i == 8 || !table->places[bucket][i])
		return false;
	*out = *block_at(bucket, i);
	return true;
}

bool hp_sites_block_find(const void *addr, struct hp_site_block *out)
{
	bool found;

	if (!take())
		return false;
	found = find_block((uintptr_t)addr, out);
	hp_lock_drop(&lock);
	return found;
}

size_t hp_sites_copy_blocks(struct hp_site_block *out)
{
	size_t n = 0;

	if (!take())
		return 0;
	for (size_t i = 1; i < nblocks; i++)
		if (table->blocks[i].addr)
			out[n++] = table->blocks[i];
	hp_lock_drop(&lock);
	return n;
}

uint64_t hp_sites_held(void)
{
	return __atomic_load_n(&held, __ATOMIC_RELAXED);
}

void hp_sites_blocks_forked(void)
{
	hp_lock_reset(&lock);
}
