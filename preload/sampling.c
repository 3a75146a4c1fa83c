/* SPDX-License-Identifier: MIT */
#include "preload/sampling.h"
#include "preload/detour.h"

#include <string.h>

#include "libhp/altstack.h"
#include "libhp/arena.h"
#include "libhp/linux.h"
#include "libhp/quiet.h"
#include "libhp/sites_name.h"
#include "libhp/sites_sum.h"
#include "preload/outcome.h"

#define NAMED 50 /* stacks, before a sandbox */
#define RATE ((int64_t)512 * 1024)

/* libunwind takes 6 KiB where it comes for the first time */
#define STACK (64 * HP_KIB)

static struct hp_altstack walker;
bool hp_sampling;
__thread struct hp_sampler hp_sampler;

static uint64_t next_random(void)
{
	uint64_t x = hp_sampler.random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	hp_sampler.random = x;
	return x * 0x2545f4914f6cdd1du;
}

/* -ln(u) in 1/65536ths, @u in (0, 2^32]; libm stays out of every process */
static uint64_t minus_ln(uint64_t u)
{
	unsigned int whole = hp_log2(u);
	/* mantissa in [0, 1) as 1/65536ths, and log2(1 + m) ~ m + m(1-m)/3 */
	uint64_t m = ((u << 16) >> whole) - 65536;
	uint64_t log2 = ((uint64_t)whole << 16) + m +
			m * (65536 - m) * 345 / 1000 / 65536;

	return (((uint64_t)32 << 16) - log2) * 45426 >> 16; /* ln 2 */
}

/* distance of two points: exponential with mean RATE */
static int64_t next_distance(void)
{
	uint64_t u = (next_random() >> 32) + 1;

	return (int64_t)(minus_ln(u) * (uint64_t)RATE >> 16) + 1;
}

static void prime(void)
{
	hp_sampler.primed = true;
	hp_sampler.random = (uintptr_t)&hp_sampler ^ hp_linux_now_ms() << 20 ^
			    0x9e3779b97f4a7c15u;
	hp_sampler.left += next_distance();
}

static void walk_here(void *id)
{
	uintptr_t pcs[HP_SITES_DEPTH];
	unsigned int n;

	hp_sampler.inside = true;
	n = hp_sites_walk(pcs);
	hp_sampler.inside = false;
	*(uint32_t *)id = hp_sites_stack(pcs, n);
}

/* the caller's stack; 0 when it is not to be had now */
static uint32_t walk(void)
{
	uint32_t id = 0;

	if (!hp_sampler.inside)
		(void)hp_altstack_run(&walker, walk_here, &id);
	return id;
}

/* points covered since the last block */
static uint64_t count_points(void)
{
	uint64_t n = 0;

	if (!hp_sampler.primed)
		prime();
	for (; hp_sampler.left < 0; n++)
		hp_sampler.left += next_distance();
	return n;
}

static void own_slots(uint32_t stack)
{
	const struct hp_slots *s = &hp_heap.slots;
	unsigned int i = hp_slots_index(s, hp_sampler.grown);
	unsigned int end = hp_slots_index(s, hp_sampler.grown_end - 1) + 1;

	for (; i < end; i++)
		if (!hp_sites_slot(i))
			hp_sites_slot_set(i, stack);
	hp_sampler.grown = 0;
}

void hp_sampling_point(void *p, size_t size)
{
	struct hp_site_block block = {.addr = (uintptr_t)p, .size = size};

	if (size >= (size_t)RATE) {
		hp_sampler.left += (int64_t)size;
		block.weight = size;
	} else if (hp_sampler.left < 0) {
		block.weight = count_points() * (uint64_t)RATE;
	}
	if (block.weight == 0 && !hp_sampler.grown)
		return;
	block.stack = walk();
	if (block.weight > 0 && block.stack)
		hp_sites_block_add(&block);
	if (hp_sampler.grown)
		own_slots(block.stack);
}

/*
 * Pages fall free long after most blocks in them, so that the moment when
 * pages are fullest says little of blocks. Theirs is watched here.
 */
static bool is_falling(void)
{
	static uint64_t highest, sampled;
	uint64_t held = hp_sites_held();

	if (held > highest)
		highest = held;
	if (held >= highest - highest / 64 || highest <= sampled + sampled / 8)
		return false;
	sampled = highest;
	return true;
}

void hp_sampling_drop(const void *p)
{
	if (is_falling())
		hp_outcome_sample();
	hp_sites_block_drop(p);
}

void hp_sampling_drop_for_now(const void *p, struct hp_site_block *known)
{
	(void)hp_sites_block_find(p, known);
	hp_sampling_drop(p);
}

void hp_sampling_map(uintptr_t start, size_t len)
{
	uint32_t stack;

	if (!hp_sampling)
		return;
	stack = walk();
	if (stack)
		hp_sites_map_set(start, start + len, stack);
}

void hp_sampling_unmap(uintptr_t start, uintptr_t end)
{
	if (hp_sampling && hp_sites_map_near(start, end))
		hp_sites_map_cut(start, end);
}

/* jemalloc got an extent; it holds locks, so the stack has to wait */
static void grown(uintptr_t start, size_t len)
{
	const struct hp_slots *s = &hp_heap.slots;

	if (hp_sites_slot(hp_slots_index(s, start)) &&
	    hp_sites_slot(hp_slots_index(s, start + len - 1)))
		return;
	hp_sampler.grown = start;
	hp_sampler.grown_end = start + len;
}

/* who made an empty slot is forgotten: whoever uses it next has it made */
static void shrunk(uintptr_t start, size_t len)
{
	const struct hp_slots *s = &hp_heap.slots;
	unsigned int end = hp_slots_index(s, start + len - 1) + 1;

	for (unsigned int i = hp_slots_index(s, start); i < end; i++)
		if (hp_slots_at(s, i)->used == 0)
			hp_sites_slot_set(i, 0);
}

static void complain(int error)
{
	const char *line = "libhp: LIBHP_SITES: no memory for call stacks\n";

	if (error == -ENOENT)
		line = "libhp: LIBHP_SITES: libunwind.so.8 is not there; "
		       "install libunwind to see call stacks\n";
	else if (error == -ENOTSUP)
		line = "libhp: LIBHP_SITES: this libunwind or libc cannot "
		       "give call stacks safely; there will be none\n";
	hp_quiet_say(line);
}

void hp_sampling_init(const struct hp_context *context)
{
	int error;

	if (!context->options.sites || context->passive)
		return;
	error = hp_sites_tables();
	if (!error)
		error = hp_sites_sums();
	if (!error)
		error = hp_sites_open();
	if (error) {
		complain(error);
		return;
	}
	hp_altstack_open(&walker, STACK);
	hp_arena_watch.grown = grown;
	hp_arena_watch.shrunk = shrunk;
	hp_sampling = hp_detour = true;
}

static void stop(void)
{
	__atomic_store_n(&hp_arena_watch.grown, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&hp_arena_watch.shrunk, NULL, __ATOMIC_RELAXED);
	hp_sampling = false;
}

void hp_sampling_forked(void)
{
	stop();
	hp_sites_forked();
	hp_altstack_forked(&walker);
}

/* files can be read a last time: whoever is to be reported gets its names */
static void name_largest(void)
{
	struct hp_site_name name;
	uint32_t id = 0;
	unsigned int n;

	for (int i = 0; i < NAMED && (id = hp_sites_next(id)); i++) {
		const uintptr_t *pcs = hp_sites_frames(id, &n);

		while (n > 0)
			hp_sites_name(pcs[--n], &name);
	}
}

void hp_sampling_keep(void)
{
	if (!hp_sampling)
		return;
	stop();
	name_largest();
	hp_sites_name_blindly();
}
