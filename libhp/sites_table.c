/* SPDX-License-Identifier: MIT */
#include "libhp/sites_table.h"

#include <string.h>

#include "libhp/linux.h"
#include "libhp/lock.h"

#define HEADS (2 * HP_SITES_STACKS)
#define POOL ((size_t)1 << 20) /* addresses of all stacks together */

struct stack {
	uint32_t first; /* in the pool */
	uint32_t hash;
	uint16_t len;
};

struct tables {
	struct hp_site_map maps[HP_SITES_MAPS];
	uint16_t heads[HEADS]; /* ids by hash, linear probing */
	struct stack stacks[HP_SITES_STACKS];
	uintptr_t pool[POOL];
	uint16_t slots[HP_SITES_SLOTS];
};

static struct hp_lock lock; /* guards all but slots, read without */
static struct tables *tables;
static uint32_t nstacks = 1;
static size_t npool, nmaps;
static uint64_t lost;

int hp_sites_tables(void)
{
	long ret = hp_linux_map(NULL, sizeof(*tables), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				0);

	if (hp_linux_failed(ret))
		return (int)ret;
	hp_linux_advise((void *)ret, sizeof(*tables), MADV_NOHUGEPAGE);
	tables = (struct tables *)ret;
	return hp_sites_blocks_open();
}

void hp_sites_lose(void)
{
	__atomic_fetch_add(&lost, 1, __ATOMIC_RELAXED);
}

static bool take(void)
{
	if (tables && hp_lock_take(&lock))
		return true;
	hp_sites_lose();
	return false;
}

static uint32_t hash_stack(const uintptr_t *pcs, unsigned int n)
{
	uint64_t hash = n;

	for (unsigned int i = 0; i < n; i++)
		hash = (hash ^ pcs[i]) * 0x9e3779b97f4a7c15u + (hash >> 29);
	return (uint32_t)(hash >> 32);
}

static bool is_same(uint32_t id, uint32_t hash, const uintptr_t *pcs,
		    unsigned int n)
{
	const struct stack *s = &tables->stacks[id];

	return s->hash == hash && s->len == n &&
	       !memcmp(&tables->pool[s->first], pcs, n * sizeof(*pcs));
}

static uint32_t add_stack(uint32_t hash, const uintptr_t *pcs, unsigned int n)
{
	if (nstacks == HP_SITES_STACKS || npool + n > POOL)
		return 0;
	tables->stacks[nstacks] =
		(struct stack){(uint32_t)npool, hash, (uint16_t)n};
	memcpy(&tables->pool[npool], pcs, n * sizeof(*pcs));
	npool += n;
	return nstacks++;
}

uint32_t hp_sites_stack(const uintptr_t *pcs, unsigned int n)
{
	uint32_t hash = hash_stack(pcs, n), at = hash % HEADS, id;

	if (n == 0 || !take())
		return 0;
	while (tables->heads[at] && !is_same(tables->heads[at], hash, pcs, n))
		at = (at + 1) % HEADS;
	id = tables->heads[at];
	if (!id)
		id = add_stack(hash, pcs, n);
	tables->heads[at] = (uint16_t)id;
	hp_lock_drop(&lock);
	if (!id)
		hp_sites_lose();
	return id;
}

const uintptr_t *hp_sites_frames(uint32_t stack, unsigned int *n)
{
	*n = tables->stacks[stack].len;
	return &tables->pool[tables->stacks[stack].first];
}

uint32_t hp_sites_stacks(void)
{
	return __atomic_load_n(&nstacks, __ATOMIC_RELAXED);
}

/* the first that ends above @addr */
static size_t find_map(uintptr_t addr)
{
	size_t low = 0, high = nmaps;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (tables->maps[mid].end > addr)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static bool insert_map(size_t at, const struct hp_site_map *map)
{
	struct hp_site_map *maps = tables->maps;

	if (nmaps == HP_SITES_MAPS)
		return false;
	memmove(&maps[at + 1], &maps[at], (nmaps - at) * sizeof(*maps));
	maps[at] = *map;
	nmaps++;
	return true;
}

static void remove_map(size_t at)
{
	struct hp_site_map *maps = tables->maps;

	nmaps--;
	memmove(&maps[at], &maps[at + 1], (nmaps - at) * sizeof(*maps));
}

static void cut(uintptr_t start, uintptr_t end)
{
	size_t at = find_map(start);

	while (at < nmaps && tables->maps[at].start < end) {
		struct hp_site_map *map = &tables->maps[at];
		struct hp_site_map rest = {end, map->end, map->stack};

		if (map->start >= start && map->end <= end) {
			remove_map(at);
			continue;
		}
		if (map->start >= start) {
			map->start = end;
			return;
		}
		map->end = start;
		at++;
		if (rest.end > end && !insert_map(at, &rest))
			hp_sites_lose();
	}
}

void hp_sites_map_cut(uintptr_t start, uintptr_t end)
{
	if (!take())
		return;
	cut(start, end);
	hp_lock_drop(&lock);
}

void hp_sites_map_set(uintptr_t start, uintptr_t end, uint32_t stack)
{
	const struct hp_site_map map = {start, end, stack};
	bool done;

	if (!take())
		return;
	cut(start, end);
	done = insert_map(find_map(start), &map);
	hp_lock_drop(&lock);
	if (!done)
		hp_sites_lose();
}

bool hp_sites_map_near(uintptr_t start, uintptr_t end)
{
	size_t n = __atomic_load_n(&nmaps, __ATOMIC_RELAXED);

	return n > 0 && end > tables->maps[0].start &&
	       start < tables->maps[n - 1].end;
}

uint32_t hp_sites_slot(size_t i)
{
	return i < HP_SITES_SLOTS
		       ? __atomic_load_n(&tables->slots[i], __ATOMIC_RELAXED)
		       : 0;
}

void hp_sites_slot_set(size_t i, uint32_t stack)
{
	if (i < HP_SITES_SLOTS)
		__atomic_store_n(&tables->slots[i], (uint16_t)stack,
				 __ATOMIC_RELAXED);
}

uint64_t hp_sites_lost(void)
{
	return __atomic_load_n(&lost, __ATOMIC_RELAXED);
}

size_t hp_sites_copy_maps(struct hp_site_map *out)
{
	size_t n;

	if (!take())
		return 0;
	n = nmaps;
	memcpy(out, tables->maps, n * sizeof(*out));
	hp_lock_drop(&lock);
	return n;
}

void hp_sites_forked(void)
{
	hp_lock_reset(&lock);
	hp_sites_blocks_forked();
}
