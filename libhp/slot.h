/* SPDX-License-Identifier: MIT */
/*
 * slot.h - the slot table: one growing stretch of address space and, for each
 * slot in it, its state, the reason why it is not huge, and its page bitmaps
 *
 * The stretch grows upwards in place, so "is this address ours?" is one
 * subtraction and one comparison, and neighbouring slots share one mapping.
 * Nothing is reserved ahead: what the process has not used does not count
 * against RLIMIT_AS, RLIMIT_MEMLOCK or a core dump.
 *
 * The table has no lock; its owner (the filler) guards it.
 */
#ifndef HP_SLOT_H
#define HP_SLOT_H

#include "libhp/common.h"
#include "libhp/options.h"
#include "libhp/hp.h"

enum hp_slot_state {
	HP_SLOT_ALIEN,	 /* somebody else's memory lies here */
	HP_SLOT_SMALL,	 /* ordinary pages, on purpose */
	HP_SLOT_THP,	 /* advised */
	HP_SLOT_HUGETLB, /* mapped from the pool and populated */
};

enum hp_slot_flags {
	HP_SLOT_TOUCHED = 1 << 0, /* pages were handed out since it was whole */
	HP_SLOT_BROKEN = 1 << 1,  /* libhp gave pages of it back */
	HP_SLOT_ADVICE = 1 << 2,  /* the program changed its mapping itself */
	HP_SLOT_HOLED = 1 << 3,	  /* the program unmapped pages of it */
	HP_SLOT_GIANT = 1 << 4,	  /* part of a larger hugetlb page */
	HP_SLOT_SPARSE = 1 << 5,  /* little of it will be touched */
	HP_SLOT_PINNED = 1 << 6,  /* the kernel refuses to take pages back */
};

struct hp_slot {
	uint32_t next, prev; /* list links of the filler: index + 1, 0 none */
	uint16_t used;	     /* pages handed out */
	uint16_t dirty;	     /* pages handed out since the kernel zeroed them */
	uint16_t longest;    /* longest run of pages not handed out */
	uint16_t list;	     /* list of the filler it is on */
	uint8_t state, reason, flags, unused;
	uint64_t map[]; /* @words of pages used, as many dirty and changed */
};

/* value of @list for a slot that is on none */
#define HP_SLOT_UNLISTED UINT16_MAX

/* words of the largest page bitmap: 512 MiB slots of 64 KiB pages */
#define HP_SLOT_WORDS_MAX 128

#define HP_SLOTS_PER_BLOCK 512
#define HP_SLOT_BLOCKS 8192

struct hp_slot_block {
	uint64_t empty[HP_SLOTS_PER_BLOCK / 64]; /* slots no page of is used */
	char slots[];
};

struct hp_slots {
	uintptr_t base; /* of slot 0 */
	size_t bytes;	/* from base to the end of the last slot */
	size_t slot, page;
	unsigned int slot_shift, page_shift;
	unsigned int n;			  /* slots in the table */
	unsigned int pages;		  /* per slot */
	unsigned int words;		  /* per bitmap */
	size_t stride;			  /* of one struct hp_slot */
	int advice;			  /* for new mappings; 0 none */
	bool aliens;			  /* some slot is HP_SLOT_ALIEN */
	bool sealed;			  /* advise no more */
	bool locked;			  /* what is mapped is filled at once */
	const struct hp_options *options; /* NUMA; may be NULL */
	struct hp_slot_block *blocks[HP_SLOT_BLOCKS];
};

/**
 * hp_slots_init - choose where the stretch will be; maps nothing yet
 * @slot:  bytes of one slot, @page: of one page; powers of two
 * @align: of the base, at least @slot
 */
int hp_slots_init(struct hp_slots *s, size_t slot, size_t page, size_t align);

/**
 * hp_slots_map - map @n more slots at the end, without adding them
 *
 * @extends: hp_slots_extendable() says so
 *
 * A new mapping with the advice and policy of the table; the kernel joins it
 * with the last where nothing tells them apart. Once a sandbox forbids madvise,
 * or no more mappings may be, the last is extended, if @extends, and passes its
 * advice on.
 *
 * Return: 0; -EEXIST a foreign mapping is in the way: add aliens to step over
 * it; -ENOMEM limits or address space are used up.
 */
HP_MUST_CHECK int hp_slots_map(const struct hp_slots *s, unsigned int n,
			       bool extends);

/**
 * hp_slots_map_anew - fresh memory in place of pages of the table
 *
 * What was there goes: a pool page at once, and so do advice, locks and
 * protection. @advice: 0 none.
 */
HP_MUST_CHECK int hp_slots_map_anew(const struct hp_slots *s, uintptr_t addr,
				    size_t len, int advice);

/* hp_slots_extendable - is the last slot still as it was mapped? */
bool hp_slots_extendable(const struct hp_slots *s);

/* hp_slots_add - the mapped slots join the table, empty and clean */
HP_MUST_CHECK int hp_slots_add(struct hp_slots *s, unsigned int n,
			       enum hp_slot_state state);

/* hp_slots_bind - the NUMA policy of the options on a new mapping */
void hp_slots_bind(const struct hp_slots *s, void *addr, size_t len);

static inline bool hp_slots_hold(const struct hp_slots *s, const void *addr)
{
	return (uintptr_t)addr - s->base < HP_READ_ONCE(s->bytes);
}

static inline struct hp_slot *hp_slots_at(const struct hp_slots *s,
					  unsigned int i)
{
	struct hp_slot_block *b = s->blocks[i / HP_SLOTS_PER_BLOCK];

	return (struct hp_slot *)(b->slots +
				  (i % HP_SLOTS_PER_BLOCK) * s->stride);
}

static inline unsigned int hp_slots_index(const struct hp_slots *s,
					  uintptr_t addr)
{
	return (unsigned int)((addr - s->base) >> s->slot_shift);
}

static inline uintptr_t hp_slots_addr(const struct hp_slots *s, unsigned int i)
{
	return s->base + ((uintptr_t)i << s->slot_shift);
}

static inline uint64_t *hp_slot_dirty_map(const struct hp_slots *s,
					  struct hp_slot *slot)
{
	return slot->map + s->words;
}

/* hp_slots_own - does it lie in a slot, and not in another's memory there? */
static inline bool hp_slots_own(const struct hp_slots *s, uintptr_t addr)
{
	return hp_slots_hold(s, (void *)addr) &&
	       hp_slots_at(s, hp_slots_index(s, addr))->state != HP_SLOT_ALIEN;
}

/* pages whose protection, advice or lock the program has changed */
static inline uint64_t *hp_slot_changed_map(const struct hp_slots *s,
					    struct hp_slot *slot)
{
	return slot->map + 2 * s->words;
}

/* bookkeeping of wholly unused slots */
void hp_slots_set_empty(struct hp_slots *s, unsigned int i, bool empty);
bool hp_slots_is_empty(const struct hp_slots *s, unsigned int i);

/**
 * hp_slots_find_empty - the lowest @n consecutive empty slots
 * @align: in slots, power of two, of the address
 *
 * Return: index of the first; s->n when there is no such run.
 */
unsigned int hp_slots_find_empty(const struct hp_slots *s, unsigned int n,
				 size_t align);

/* how many slots at the very end are empty */
unsigned int hp_slots_empty_tail(const struct hp_slots *s);

#endif
