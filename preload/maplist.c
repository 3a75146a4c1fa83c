/* SPDX-License-Identifier: MIT */
#include "preload/maplist.h"

#include <string.h>

#include "libhp/heap.h"
#include "libhp/linux.h"

static struct hp_map first_room[64];
static struct hp_map *list = first_room;
static size_t count, room = HP_ARRAY_SIZE(first_room);
static uintptr_t lowest = UINTPTR_MAX, highest; /* hull; only ever widens */

uint64_t hp_maplist_advised(void)
{
	return HP_READ_ONCE(hp_heap_start.mapped);
}

static void count_bytes(const struct hp_map *map, uintptr_t start,
			uintptr_t end, bool more)
{
	uint64_t bytes = map->kind == HP_MAP_ADVISED ? end - start : 0;
	uint64_t was = hp_heap_start.mapped;

	HP_WRITE_ONCE(hp_heap_start.mapped, more ? was + bytes : was - bytes);
}

bool hp_maplist_near(uintptr_t start, uintptr_t end)
{
	return start < __atomic_load_n(&highest, __ATOMIC_RELAXED) &&
	       end > __atomic_load_n(&lowest, __ATOMIC_RELAXED);
}

/* index of the first entry that ends above @addr */
static size_t position(uintptr_t addr)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (list[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct hp_map *hp_maplist_find(uintptr_t addr)
{
	size_t i = position(addr);

	return i < count ? &list[i] : NULL;
}

static bool make_room(void)
{
	size_t len = 2 * room * sizeof(*list);
	long ret;

	if (count < room)
		return true;
	ret = hp_linux_map(NULL, len, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hp_linux_failed(ret))
		return false;
	memcpy((void *)ret, list, count * sizeof(*list));
	if (list != first_room)
		hp_linux_unmap(list, room * sizeof(*list));
	list = (struct hp_map *)ret;
	room *= 2;
	return true;
}

static void insert(size_t i, struct hp_map map)
{
	if (!make_room())
		return; /* forgotten: the report will miss it, nothing else */
	memmove(&list[i + 1], &list[i], (count - i) * sizeof(*list));
	list[i] = map;
	count++;
}

static void erase(size_t i)
{
	count--;
	memmove(&list[i], &list[i + 1], (count - i) * sizeof(*list));
}

void hp_maplist_cut(uintptr_t start, uintptr_t end)
{
	size_t i = position(start);

	while (i < count && list[i].start < end) {
		struct hp_map whole = list[i];

		count_bytes(&whole, hp_max(whole.start, start),
			    hp_min(whole.end, end), false);
		if (whole.start < start && whole.end > end) {
			list[i].end = start;
			whole.start = end;
			insert(i + 1, whole);
			return;
		}
		if (whole.start < start)
			list[i++].end = start;
		else if (whole.end > end)
			list[i].start = end;
		else
			erase(i);
		if (whole.end >= end)
			return;
	}
}

static bool joins(const struct hp_map *a, const struct hp_map *b)
{
	return a->end == b->start && a->kind == b->kind &&
	       a->reason == b->reason;
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
	size_t i;

	hp_maplist_cut(start, end);
	widen(start, end);
	count_bytes(&map, start, end, true);
	i = position(start);
	if (i > 0 && joins(&list[i - 1], &map)) {
		map.start = list[i - 1].start;
		erase(--i);
	}
	if (i < count && joins(&map, &list[i])) {
		map.end = list[i].end;
		erase(i);
	}
	insert(i, map);
}
