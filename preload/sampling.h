/* SPDX-License-Identifier: MIT */
/*
 * sampling.h - which allocations get a call stack (LIBHP_SITES)
 *
 * Small blocks are sampled by bytes: the bytes a thread allocates are a line
 * on which points lie at random, one in RATE on average, and a block stands
 * for RATE bytes a point it covers (a Poisson process, as in tcmalloc).
 * Blocks of RATE and more, the program's mappings and whoever causes a slot of
 * the heap to be made are known exactly.
 *
 * A stack is walked when the thread has left the allocator and every lock of
 * ours; inside of them an event is only noted. A thread interrupted there by a
 * signal whose handler maps memory gives that stack up.
 */
#ifndef HP_SAMPLING_H
#define HP_SAMPLING_H

#include "libhp/init.h"
#include "libhp/sites_table.h"

struct hp_sampler {
	int64_t left; /* bytes to the next point */
	uint64_t random;
	uintptr_t grown, grown_end; /* slots made, not yet attributed */
	bool inside;		    /* the allocator, or a walk */
	bool primed;
};

extern HP_HIDDEN bool
	hp_sampling; /* off: nothing else here is ever looked at */
extern HP_HIDDEN __thread struct hp_sampler hp_sampler;

/* hp_sampling_init - once, in the constructor, before there are threads */
void hp_sampling_init(const struct hp_context *context);

/* off for good: a child has nothing to report, a sandbox may forbid a walk */
void hp_sampling_forked(void);
void hp_sampling_keep(void);

void hp_sampling_point(void *p, size_t size);
void hp_sampling_drop(const void *p);

/* around a call of the allocator */
static inline bool hp_sampling_enter(void)
{
	bool was = hp_sampler.inside;

	hp_sampler.inside = true;
	return was;
}

static inline void *hp_sampling_leave(bool was, void *p, size_t size)
{
	hp_sampler.inside = was;
	/* a failed call may have asked for anything, a wrapped product too */
	if (HP_UNLIKELY(!p))
		return p;
	hp_sampler.left -= (int64_t)size;
	if (HP_UNLIKELY(hp_sampler.left < 0 || hp_sampler.grown))
		hp_sampling_point(p, size);
	return p;
}

/* SAMPLED(size, call) - @call, which allocates @size bytes, and its stack */
#define SAMPLED(size, call)                                                    \
	({                                                                     \
		void *p_;                                                      \
		if (HP_UNLIKELY(hp_sampling)) {                                \
			bool was_ = hp_sampling_enter();                       \
                                                                               \
			p_ = (call);                                           \
			p_ = hp_sampling_leave(was_, p_, size);                \
		} else {                                                       \
			p_ = (call);                                           \
		}                                                              \
		p_;                                                            \
	})

/* hp_sampling_free - before a block goes */
static inline void hp_sampling_free(const void *p)
{
	if (HP_UNLIKELY(hp_sampling) && HP_UNLIKELY(hp_sites_block_maybe(p)))
		hp_sampling_drop(p);
}

void hp_sampling_drop_for_now(const void *p, struct hp_site_block *known);

/* hp_sampling_move - before a block may be moved, else hp_sampling_stay() */
static inline void hp_sampling_move(const void *p, struct hp_site_block *known)
{
	known->addr = 0;
	if (HP_UNLIKELY(hp_sampling) && HP_UNLIKELY(hp_sites_block_maybe(p)))
		hp_sampling_drop_for_now(p, known);
}

static inline void hp_sampling_stay(const struct hp_site_block *known)
{
	if (HP_UNLIKELY(known->addr))
		hp_sites_block_add(known);
}

/* the program's own mappings; no lock may be held */
void hp_sampling_map(uintptr_t start, size_t len);
void hp_sampling_unmap(uintptr_t start, uintptr_t end);

#endif
