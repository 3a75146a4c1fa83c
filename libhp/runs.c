/* SPDX-License-Identifier: MIT */
#include "libhp/runs.h"

/* the bits of word @w that lie in [@first, @end) */
static uint64_t mask_of(unsigned int w, unsigned int first, unsigned int end)
{
	uint64_t mask = ~(uint64_t)0;

	if (w == first / 64)
		mask &= ~(uint64_t)0 << (first % 64);
	if (w == (end - 1) / 64)
		mask &= ~(uint64_t)0 >> (63 - (end - 1) % 64);
	return mask;
}

void hp_runs_set(uint64_t *map, unsigned int first, unsigned int len)
{
	for (unsigned int w = first / 64; w <= (first + len - 1) / 64; w++)
		map[w] |= mask_of(w, first, first + len);
}

void hp_runs_clear(uint64_t *map, unsigned int first, unsigned int len)
{
	for (unsigned int w = first / 64; w <= (first + len - 1) / 64; w++)
		map[w] &= ~mask_of(w, first, first + len);
}

unsigned int hp_runs_count(const uint64_t *map, unsigned int first,
			   unsigned int len)
{
	unsigned int n = 0;

	for (unsigned int w = first / 64; w <= (first + len - 1) / 64; w++)
		n += (unsigned int)__builtin_popcountll(
			map[w] & mask_of(w, first, first + len));
	return n;
}

/* @flip turns the search for set bits into one for clear bits */
static inline unsigned int next_bit(const uint64_t *map, unsigned int pages,
				    unsigned int from, uint64_t flip)
{
	unsigned int w = from / 64;
	uint64_t word;

	if (from >= pages)
		return pages;
	word = (map[w] ^ flip) & (~(uint64_t)0 << (from % 64));
	while (!word) {
		if (++w * 64 >= pages)
			return pages;
		word = map[w] ^ flip;
	}
	from = w * 64 + (unsigned int)__builtin_ctzll(word);
	return from < pages ? from : pages;
}

unsigned int hp_runs_next_set(const uint64_t *map, unsigned int pages,
			      unsigned int from)
{
	return next_bit(map, pages, from, 0);
}

unsigned int hp_runs_next_clear(const uint64_t *map, unsigned int pages,
				unsigned int from)
{
	return next_bit(map, pages, from, ~(uint64_t)0);
}

bool hp_runs_find(const uint64_t *map, unsigned int pages, unsigned int len,
		  unsigned int align, struct hp_run *out)
{
	unsigned int first = hp_runs_next_clear(map, pages, 0);

	while (first < pages) {
		unsigned int end = hp_runs_next_set(map, pages, first);

		first = (unsigned int)hp_align_up(first, align);
		if (first + len <= end) {
			*out = (struct hp_run){first, end - first};
			return true;
		}
		first = hp_runs_next_clear(map, pages, end);
	}
	return false;
}

struct hp_run hp_runs_around(const uint64_t *map, unsigned int pages,
			     unsigned int at)
{
	unsigned int first = at;

	while (first > 0) {
		unsigned int w = (first - 1) / 64;
		uint64_t below = map[w] << (63 - (first - 1) % 64);

		if (below) {
			first -= (unsigned int)__builtin_clzll(below);
			break;
		}
		first = w * 64;
	}
	return (struct hp_run){first, hp_runs_next_set(map, pages, at) - first};
}

unsigned int hp_runs_longest(const uint64_t *map, unsigned int pages,
			     unsigned int enough)
{
	unsigned int longest = 0;
	unsigned int first = hp_runs_next_clear(map, pages, 0);

	while (first < pages && longest < enough) {
		unsigned int end = hp_runs_next_set(map, pages, first);

		longest = (unsigned int)hp_max(longest, end - first);
		first = hp_runs_next_clear(map, pages, end);
	}
	return longest;
}
