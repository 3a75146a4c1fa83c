/* SPDX-License-Identifier: MIT */
/*
 * fuzz_area.h - the mappings a fuzzed sequence owns, page by page
 *
 * An operation never leaves the pages its area owns: what lies beside them is
 * the kernel's choice and may differ between twins.
 */
#ifndef TESTS_FUZZ_AREA_H
#define TESTS_FUZZ_AREA_H

#include <stdlib.h>

#include "tests/fuzz_calls.h"
#include "tests/fuzz_draw.h"
#include "tests/fuzz_trace.h"

#define AREAS 12
#define AREA_PAGES 2048

enum page_state {
	PAGE_OWN = 1,
	PAGE_TOUCHED = 2, /* looked at again when the sequence ends */
	PAGE_VAGUE = 4,	  /* MADV_FREE: old contents or zero, until written */
	PAGE_NOFORK = 8,  /* MADV_DONTFORK */
};

struct area {
	char *addr;
	unsigned int pages; /* 0: none */
	uint8_t state[AREA_PAGES];
	uint32_t past[AREA_PAGES]; /* hash of the calls that changed it */
};

struct range {
	struct area *area;
	unsigned int id, first, len;
	char *addr;
	size_t bytes;
};

static size_t page_size;
static __thread struct area areas[AREAS];
static __thread struct draw draw;

static inline unsigned int below(unsigned int n)
{
	return draw_below(&draw, n);
}

static inline bool one_in(unsigned int n)
{
	return below(n) == 0;
}

/* small, up to a slot of 2 MiB, and some slots */
static inline unsigned int some_pages(void)
{
	unsigned int dice = below(100);

	if (dice < 60)
		return 1 + below(40);
	if (dice < 85)
		return 16 + below(500);
	return dice < 92 ? 512 * (1 + below(3)) : 512 + below(1100);
}

static inline struct area *free_area(void)
{
	for (unsigned int i = 0; i < AREAS; i++)
		if (!areas[i].pages)
			return &areas[i];
	return NULL;
}

static inline void area_set(struct area *a, char *addr, unsigned int pages)
{
	a->addr = addr;
	a->pages = pages;
	memset(a->state, PAGE_OWN, pages);
	memset(a->past, 0, pages * sizeof(a->past[0]));
}

static inline void range_changed(const struct range *r)
{
	static __thread uint32_t calls;

	calls++;
	for (unsigned int i = r->first; i < r->first + r->len; i++)
		r->area->past[i] = r->area->past[i] * 0x01000193 + calls;
}

/* pages [first, first + len) are as new, or gone */
static inline void range_mark(const struct range *r, uint8_t state)
{
	memset(r->area->state + r->first, state, r->len);
	if (state) {
		range_changed(r);
		return;
	}
	for (unsigned int i = 0; i < r->area->pages; i++)
		if (r->area->state[i])
			return;
	r->area->pages = 0;
}

static inline struct range range_of(struct area *a, unsigned int first,
				    unsigned int len)
{
	return (struct range){
		a,   (unsigned int)(a - areas),	  first,
		len, a->addr + first * page_size, len * page_size};
}

/* some owned pages in one stretch; often all of it; false: no area */
static inline bool pick(struct range *out)
{
	unsigned int id = below(AREAS), first, len;
	struct area *a;

	for (unsigned int i = 0; i < AREAS && !areas[id].pages; i++)
		id = (id + 1) % AREAS;
	a = &areas[id];
	if (!a->pages)
		return false;
	first = below(a->pages);
	while (!a->state[first])
		first = (first + 1) % a->pages;
	if (one_in(2))
		while (first > 0 && a->state[first - 1])
			first--;
	for (len = 1; first + len < a->pages && a->state[first + len];)
		len++;
	if (one_in(2))
		len = 1 + below(len);
	*out = range_of(a, first, len);
	return true;
}

/* the front part with one past: no kernel has cut it into mappings */
static inline bool pick_uniform(struct range *out)
{
	unsigned int len = 1;

	if (!pick(out))
		return false;
	while (len < out->len &&
	       out->area->past[out->first + len] == out->area->past[out->first])
		len++;
	*out = range_of(out->area, out->first, len);
	return true;
}

/* the stretch of owned pages beginning at page @first of @a, if there is one */
static inline bool next_stretch(struct area *a, unsigned int *first,
				struct range *out)
{
	unsigned int end;

	while (*first < a->pages && !a->state[*first])
		++*first;
	for (end = *first; end < a->pages && a->state[end];)
		end++;
	if (*first >= a->pages || end == *first)
		return false;
	*out = range_of(a, *first, end - *first);
	*first = end;
	return true;
}

static inline void drop_all(void)
{
	for (unsigned int i = 0; i < AREAS; i++) {
		unsigned int first = 0;
		struct range r;

		while (next_stretch(&areas[i], &first, &r))
			via->munmap(r.addr, r.bytes);
		areas[i].pages = 0;
	}
}

/* what a page holds: twins agree, unless nobody can know */
static inline void note_page(struct area *a, unsigned int page)
{
	uint64_t value = 0;
	int fault = try_read((uint64_t *)(a->addr + page * page_size), &value);

	note(" %u:%d:%llx", page, fault,
	     a->state[page] & PAGE_VAGUE ? 0 : (unsigned long long)value);
}

/* in a child: what is not there is no more its than any other address */
static inline void drop_unforked(void)
{
	for (unsigned int i = 0; i < AREAS; i++)
		for (unsigned int p = 0; p < areas[i].pages; p++) {
			if (!(areas[i].state[p] & PAGE_NOFORK))
				continue;
			note_page(&areas[i], p);
			areas[i].state[p] = 0;
		}
	for (unsigned int i = 0; i < AREAS; i++) {
		unsigned int left = 0;

		for (unsigned int p = 0; p < areas[i].pages; p++)
			left += areas[i].state[p] != 0;
		areas[i].pages = left ? areas[i].pages : 0;
	}
}

static inline void note_contents(void)
{
	for (unsigned int i = 0; i < AREAS; i++) {
		if (!areas[i].pages)
			continue;
		note("area %u:", i);
		for (unsigned int p = 0; p < areas[i].pages; p++)
			if (areas[i].state[p] & PAGE_TOUCHED ||
			    (areas[i].state[p] && p % 97 == 5))
				note_page(&areas[i], p);
		note("\n");
	}
}

#endif
