/* SPDX-License-Identifier: MIT */
#include "preload/maplist.h"

#include <string.h>

#include "libhp/heap.h"
#include "libhp/linux.h"

/* a list in pieces: a program may have as many mappings as the kernel allows */
#define CHUNK_MAPS 128

struct chunk {
	struct hp_map *maps;
	size_t n; /* 0 only in the first one, of an empty list */
};

/* behind the chunks in use lie those that were */
static struct hp_map first_maps[CHUNK_MAPS];
static struct chunk first_chunks[16] = {{first_maps, 0}};
static struct chunk *chunks = first_chunks;
static size_t count = 1, room = HP_ARRAY_SIZE(first_chunks);
static size_t runs;
static uintptr_t lowest = UINTPTR_MAX, highest; /* hull; only ever widens */

struct place {
	size_t chunk, i;
};

uint64_t hp_maplist_advised(void)
{
	return HP_READ_ONCE(hp_heap_start.mapped);
}

size_t hp_maplist_runs(void)
{
	return HP_READ_ONCE(runs);
}

bool hp_maplist_near(uintptr_t start, uintptr_t end)
{
	return start < __atomic_load_n(&highest, __ATOMIC_RELAXED) &&
	       end > __atomic_load_n(&lowest, __ATOMIC_RELAXED);
}

static bool reaches(size_t i, uintptr_t addr)
{
	return chunks[i].n > 0 && chunks[i].maps[chunks[i].n - 1].end > addr;
}

/* the first chunk with an entry that ends above @addr, or the last one */
static size_t chunk_of(uintptr_t addr)
{
	static size_t latest; /* most searches follow one nearby */
	size_t low = 0, high = count - 1;

	if (latest < count && reaches(latest, addr) &&
	    (latest == 0 || !reaches(latest - 1, addr)))
		return latest;
	while (low < high) {
		size_t mid = (low + high) / 2;

		if (reaches(mid, addr))
			high = mid;
		else
			low = mid + 1;
	}
	latest = low;
	return low;
}

/* of the first entry that ends above @addr, or behind the last one */
static struct place place_of(uintptr_t addr)
{
	struct place at = {chunk_of(addr), 0};
	const struct chunk *c = &chunks[at.chunk];
	size_t high = c->n;

	while (at.i < high) {
		size_t mid = (at.i + high) / 2;

		if (c->maps[mid].end <= addr)
			at.i = mid + 1;
		else
			high = mid;
	}
	return at;
}

static struct hp_map *map_at(struct place at)
{
	const struct chunk *c = &chunks[at.chunk];

	return at.i < c->n ? &c->maps[at.i] : NULL;
}

const struct hp_map *hp_maplist_find(uintptr_t addr)
{
	return map_at(place_of(addr));
}

static bool make_room(void)
{
	size_t len = 2 * room * sizeof(*chunks);
	long ret;

	if (count < room)
		return true;
	ret = hp_linux_map(NULL, len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hp_linux_failed(ret))
		return false;
	memcpy((void *)ret, chunks, count * sizeof(*chunks));
	if (chunks != first_chunks)
		hp_linux_unmap(chunks, room * sizeof(*chunks));
	chunks = (struct chunk *)ret;
	room *= 2;
	return true;
}

/* one to use next, in the place behind those in use */
static bool make_chunk(void)
{
	long ret;

	if (!make_room())
		return false;
	if (chunks[count].maps)
		return true;
	ret = hp_linux_map(NULL, CHUNK_MAPS * sizeof(struct hp_map),
			   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	if (hp_linux_failed(ret))
		return false;
	chunks[count].maps = (struct hp_map *)ret;
	return true;
}

/* the upper half of a full chunk moves to one behind it */
static bool split(size_t i)
{
	struct chunk upper;

	if (!make_chunk())
		return false;
	upper = chunks[count];
	upper.n = CHUNK_MAPS / 2;
	memmove(&chunks[i + 2], &chunks[i + 1],
		(count - i - 1) * sizeof(*chunks));
	chunks[i].n -= upper.n;
	memcpy(upper.maps, &chunks[i].maps[chunks[i].n],
	       upper.n * sizeof(struct hp_map));
	chunks[i + 1] = upper;
	count++;
	return true;
}

static void retire(size_t i)
{
	struct chunk c = chunks[i];

	if (count == 1)
		return;
	count--;
	memmove(&chunks[i], &chunks[i + 1], (count - i) * sizeof(*chunks));
	chunks[count] = c;
}

static bool continues(const struct hp_map *a, const struct hp_map *b)
{
	return a && b && a->end == b->start && a->kind == b->kind;
}

/* bytes and runs with @map in the list, or without */
static void account(const struct hp_map *map, bool more)
{
	uint64_t bytes =
		map->kind == HP_MAP_ADVISED ? map->end - map->start : 0;
	uint64_t was = hp_heap_start.mapped;
	size_t joined =
		(size_t)continues(hp_maplist_find(map->start - 1), map) +
		(size_t)continues(map, hp_maplist_find(map->end));

	HP_WRITE_ONCE(hp_heap_start.mapped, more ? was + bytes : was - bytes);
	HP_WRITE_ONCE(runs, more ? runs + 1 - joined : runs - 1 + joined);
}

static void insert(struct hp_map map)
{
	struct place at = place_of(map.start);
	struct chunk *c;

	if (chunks[at.chunk].n == CHUNK_MAPS) {
		if (!split(at.chunk))
			return; /* forgotten: the report misses it, no more */
		at = place_of(map.start);
	}
	account(&map, true);
	c = &chunks[at.chunk];
	memmove(&c->maps[at.i + 1], &c->maps[at.i],
		(c->n - at.i) * sizeof(map));
	c->maps[at.i] = map;
	c->n++;
}

/* the first entry that ends above @addr */
static struct hp_map remove_at(uintptr_t addr)
{
	struct place at = place_of(addr);
	struct chunk *c = &chunks[at.chunk];
	struct hp_map map = c->maps[at.i];

	account(&map, false);
	c->n--;
	memmove(&c->maps[at.i], &c->maps[at.i + 1],
		(c->n - at.i) * sizeof(map));
	if (c->n == 0)
		retire(at.chunk);
	return map;
}

void hp_maplist_cut(uintptr_t start, uintptr_t end)
{
	const struct hp_map *map;

	while ((map = hp_maplist_find(start)) && map->start < end) {
		struct hp_map low = remove_at(start), high = low;

		low.end = hp_min(low.end, start);
		high.start = hp_max(high.start, end);
		if (low.start < low.end)
			insert(low);
		if (high.start < high.end)
			insert(high);
	}
}

static bool joins(const struct hp_map *a, const struct hp_map *b)
{
	return continues(a, b) && a->reason == b->reason;
}

static void widen(uintptr_t start, uintptr_t end)
{
	if (start < lowest)
		__atomic_store_n(&lowest, start, __ATOMIC_RELAXED);
	if (end > highest)
		__atomic_store_n(&highest, end, __ATOMIC_RELAXED);
}

void hp_maplist_set(uintptr_t start, uintptr_t end, enum hp_map_kind kind,
		    unsigned int reason)
{
	struct hp_map map = {start, end, (uint8_t)kind, (uint8_t)reason};

	hp_maplist_cut(start, end);
	widen(start, end);
	if (joins(hp_maplist_find(start - 1), &map))
		map.start = remove_at(start - 1).start;
	if (joins(&map, hp_maplist_find(end)))
		map.end = remove_at(end).end;
	insert(map);
}
