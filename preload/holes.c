/* SPDX-License-Identifier: MIT */
#include "preload/holes.h"

#include <string.h>

/* newest last */
static struct {
	uintptr_t start;
	size_t len;
} holes[64];
static unsigned int count;

static void drop(unsigned int i)
{
	count--;
	memmove(&holes[i], &holes[i + 1], (count - i) * sizeof(holes[0]));
}

static void add(uintptr_t start, uintptr_t end)
{
	if (start >= end)
		return;
	if (count == HP_ARRAY_SIZE(holes))
		drop(0);
	holes[count].start = start;
	holes[count++].len = end - start;
}

void hp_holes_note(uintptr_t start, size_t len)
{
	uintptr_t end = start + len;

	for (unsigned int i = count; i-- > 0;) {
		uintptr_t from = holes[i].start, to = from + holes[i].len;

		if (from != end && to != start)
			continue;
		start = hp_min(start, from);
		end = hp_max(end, to);
		drop(i);
	}
	add(start, end);
}

void hp_holes_forget(uintptr_t start, uintptr_t end)
{
	for (unsigned int i = count; i-- > 0;) {
		uintptr_t from = holes[i].start, to = from + holes[i].len;

		if (from >= end || to <= start)
			continue;
		drop(i);
		add(from, start);
		add(end, to);
	}
}

uintptr_t hp_holes_find(size_t len)
{
	for (unsigned int i = count; i-- > 0;)
		if (holes[i].len >= len)
			return holes[i].start;
	return 0;
}

void hp_holes_fill(uintptr_t start, size_t len)
{
	for (unsigned int i = count; i-- > 0;) {
		if (holes[i].start != start)
			continue;
		holes[i].start += len;
		holes[i].len -= len;
		if (holes[i].len == 0)
			drop(i);
		return;
	}
}
