/* SPDX-License-Identifier: MIT */
#include "libhp/slot.h"

#include <linux/mempolicy.h>

#include "libhp/linux.h"

/* room above the base before other mappings are met: 4 x RAM, within this */
#define ROOM_MIN (64 * HP_GIB)
#define ROOM_MAX (8192 * HP_GIB)

#define SLOTS_MAX (HP_SLOT_BLOCKS * HP_SLOTS_PER_BLOCK)

static unsigned int stretches;

static size_t room(uintptr_t top)
{
	size_t ram = hp_min(hp_max(4 * hp_linux_ram(), ROOM_MIN), ROOM_MAX);

	return hp_min(ram, top / 2);
}

/* the second stretch of a process begins half-way up: none in the other's way */
static uintptr_t base_below(uintptr_t top)
{
	size_t half = room(top) / 2;

	return top - (stretches++ % 2 ? half : 2 * half);
}

int hp_slots_init(struct hp_slots *s, size_t slot, size_t page, size_t align)
{
	/* the kernel maps downwards: far enough below is free and stays so */
	long top = hp_linux_map(NULL, page, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* this library, too, lies where the kernel maps */
	if (hp_linux_failed(top))
		top = (long)hp_align_down((uintptr_t)&stretches, page);
	else
		hp_linux_unmap((void *)top, page);

	s->slot = slot;
	s->page = page;
	s->slot_shift = hp_log2(slot);
	s->page_shift = hp_log2(page);
	s->pages = (unsigned int)(slot / page);
	s->words = (s->pages + 63) / 64;
	s->stride = sizeof(struct hp_slot) + 3 * s->words * sizeof(uint64_t);
	s->base = hp_align_down(base_below((uintptr_t)top), align);
	return 0;
}

void hp_slots_bind(const struct hp_slots *s, void *addr, size_t len)
{
	const struct hp_options *o = s->options;

	if (!o || o->numa == HP_NUMA_LOCAL)
		return;
	hp_linux_bind(addr, len,
		      o->numa == HP_NUMA_BIND ? MPOL_BIND : MPOL_INTERLEAVE,
		      (const unsigned long *)o->numa_nodes,
		      sizeof(o->numa_nodes) * 8, 0);
}

static void prepare(const struct hp_slots *s, void *addr, size_t len,
		    int advice)
{
	if (s->sealed)
		return;
	if (advice)
		hp_linux_advise(addr, len, advice);
	hp_slots_bind(s, addr, len);
}

/* what MCL_FUTURE fills at once must be advised before */
static int map(const struct hp_slots *s, void *addr, size_t len, int flags,
	       int advice)
{
	const int usable = PROT_READ | PROT_WRITE;
	bool late = s->locked && advice && !s->sealed;
	long ret = hp_linux_map(addr, len, late ? PROT_NONE : usable,
				MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (hp_linux_failed(ret))
		return (int)ret;
	if ((void *)ret != addr) { /* before Linux 4.17 it is only a hint */
		hp_linux_unmap((void *)ret, len);
		return -EEXIST;
	}
	prepare(s, addr, len, advice);
	ret = late ? hp_linux_protect(addr, len, usable) : 0;
	if (ret < 0 && flags != MAP_FIXED)
		hp_linux_unmap(addr, len);
	return (int)ret;
}

int hp_slots_map_anew(const struct hp_slots *s, uintptr_t addr, size_t len,
		      int advice)
{
	return map(s, (void *)addr, len, MAP_FIXED, advice);
}

/*
 * Growing a mapping copies all that was done to it, so the last slot must, as
 * far as is known, still be as it was mapped.
 */
bool hp_slots_extendable(const struct hp_slots *s)
{
	const struct hp_slot *last;
	enum hp_slot_state wanted =
		s->advice == MADV_HUGEPAGE ? HP_SLOT_THP : HP_SLOT_SMALL;

	if (s->n == 0)
		return false;
	last = hp_slots_at(s, s->n - 1);
	return last->state == wanted &&
	       !(last->flags &
		 (HP_SLOT_ADVICE | HP_SLOT_HOLED | HP_SLOT_BROKEN));
}

/* -EEXIST: something is there */
static int map_at_end(const struct hp_slots *s, size_t len)
{
	return map(s, (void *)(s->base + s->bytes), len, MAP_FIXED_NOREPLACE,
		   s->advice);
}

static int extend(const struct hp_slots *s, size_t len)
{
	uintptr_t last = s->base + s->bytes - s->slot;
	long ret =
		hp_linux_remap((void *)last, s->slot, s->slot + len, 0, NULL);

	return hp_linux_failed(ret) ? (int)ret : 0;
}

static struct hp_slot_block *new_block(const struct hp_slots *s)
{
	size_t len =
		sizeof(struct hp_slot_block) + HP_SLOTS_PER_BLOCK * s->stride;
	long ret = hp_linux_map(NULL, hp_align_up(len, s->page),
				PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return hp_linux_failed(ret) ? NULL : (struct hp_slot_block *)ret;
}

static int add_one(struct hp_slots *s, enum hp_slot_state state)
{
	struct hp_slot_block **block = &s->blocks[s->n / HP_SLOTS_PER_BLOCK];
	struct hp_slot *slot;

	if (!*block && !(*block = new_block(s)))
		return -ENOMEM;
	slot = hp_slots_at(s, s->n);
	slot->state = (uint8_t)state;
	slot->longest = (uint16_t)s->pages;
	slot->list = HP_SLOT_UNLISTED;
	s->n++;
	/* readers without the lock: the slot is there before it is counted */
	__atomic_store_n(&s->bytes, (size_t)s->n << s->slot_shift,
			 __ATOMIC_RELEASE);
	if (state != HP_SLOT_ALIEN)
		hp_slots_set_empty(s, s->n - 1, true);
	return 0;
}

int hp_slots_add(struct hp_slots *s, unsigned int n, enum hp_slot_state state)
{
	if (n > SLOTS_MAX - s->n)
		return -ENOMEM;
	if (state == HP_SLOT_ALIEN)
		s->aliens = true;
	for (unsigned int i = 0; i < n; i++) {
		int ret = add_one(s, state);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/*
 * A mapping of its own: the kernel joins it with the one below if they are the
 * same in every respect. What the program did to the last slot by calls nobody
 * watches, as to register it with userfaultfd, stays with that slot.
 */
int hp_slots_map(const struct hp_slots *s, unsigned int n, bool extends)
{
	size_t len;
	int ret;

	if (n > SLOTS_MAX - s->n)
		return -ENOMEM;
	len = (size_t)n << s->slot_shift;
	ret = s->sealed ? -ENOMEM : map_at_end(s, len);
	/* also where there are as many mappings as there may be */
	if (ret == -ENOMEM && extends)
		ret = extend(s, len);
	return ret < 0 && s->sealed ? map_at_end(s, len) : ret;
}

void hp_slots_set_empty(struct hp_slots *s, unsigned int i, bool empty)
{
	uint64_t *word = &s->blocks[i / HP_SLOTS_PER_BLOCK]
				  ->empty[i % HP_SLOTS_PER_BLOCK / 64];
	uint64_t bit = (uint64_t)1 << (i % 64);

	*word = empty ? *word | bit : *word & ~bit;
}

bool hp_slots_is_empty(const struct hp_slots *s, unsigned int i)
{
	return s->blocks[i / HP_SLOTS_PER_BLOCK]
			       ->empty[i % HP_SLOTS_PER_BLOCK / 64] >>
		       (i % 64) &
	       1;
}

/* the first index at or after @i with an empty slot in its word of 64 */
static unsigned int skip_full_words(const struct hp_slots *s, unsigned int i)
{
	while (i < s->n && i % 64 == 0 &&
	       !s->blocks[i / HP_SLOTS_PER_BLOCK]
			->empty[i % HP_SLOTS_PER_BLOCK / 64])
		i += 64;
	return i;
}

unsigned int hp_slots_find_empty(const struct hp_slots *s, unsigned int n,
				 size_t align)
{
	uintptr_t mask = ((uintptr_t)align << s->slot_shift) - 1;
	unsigned int run = 0;

	for (unsigned int i = 0; i < s->n; i++) {
		if (run == 0)
			i = skip_full_words(s, i);
		if (i >= s->n)
			break;
		if (!hp_slots_is_empty(s, i))
			run = 0;
		else if (run > 0 || !(hp_slots_addr(s, i) & mask))
			run++;
		if (run == n)
			return i + 1 - n;
	}
	return s->n;
}

unsigned int hp_slots_empty_tail(const struct hp_slots *s)
{
	unsigned int n = 0;

	while (n < s->n && hp_slots_is_empty(s, s->n - 1 - n))
		n++;
	return n;
}
