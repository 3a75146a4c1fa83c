/* SPDX-License-Identifier: MIT */
#include "probe/kernels.h"

#include <string.h>

#if defined(__x86_64__)
#include "probe/kernels_x86_64.h"
#elif defined(__aarch64__)
#include "probe/kernels_aarch64.h"
#else
#error "the load kernels are written for x86-64 and AArch64"
#endif

enum { ROUNDS = 32, MANY_SITES = 128 };

#define REPEAT(n, body) ".rept " #n "\n\t" body ".endr\n\t"
#define LOOP(n, body) "1:\n\t" REPEAT(n, body) HP_LOOP_END

#define LOADS_1 HP_RAW(0)
#define LOADS_2 LOADS_1 HP_RAW(1)
#define LOADS_3 LOADS_2 HP_RAW(2)
#define LOADS_4 LOADS_3 HP_RAW(3)
#define LOADS_5 LOADS_4 HP_RAW(4)
#define LOADS_6 LOADS_5 HP_RAW(5)
#define LOADS_7 LOADS_6 HP_RAW(6)
#define LOADS_8 LOADS_7 HP_RAW(7)
#define LOADS_9 LOADS_8 HP_RAW(8)
#define LOADS_10 LOADS_9 HP_RAW(9)

#define REGS_1 [p0] "+r"(walk->at[0])
#define REGS_2 REGS_1, [p1] "+r"(walk->at[1])
#define REGS_3 REGS_2, [p2] "+r"(walk->at[2])
#define REGS_4 REGS_3, [p3] "+r"(walk->at[3])
#define REGS_5 REGS_4, [p4] "+r"(walk->at[4])
#define REGS_6 REGS_5, [p5] "+r"(walk->at[5])
#define REGS_7 REGS_6, [p6] "+r"(walk->at[6])
#define REGS_8 REGS_7, [p7] "+r"(walk->at[7])
#define REGS_9 REGS_8, [p8] "+r"(walk->at[8])
#define REGS_10 REGS_9, [p9] "+r"(walk->at[9])

/* Times the loop body of @per loads must run to make at least @loads. */
static size_t trips(size_t loads, size_t per)
{
	return loads > per ? (loads + per - 1) / per : 1;
}

#define DEFINE_STREAMS(count)                                                 \
	static size_t streams_##count(struct hp_walk *walk, size_t loads)     \
	{                                                                     \
		size_t turns = trips(loads, (size_t)count * ROUNDS);          \
		size_t n = turns;                                             \
                                                                              \
		__asm__ volatile(LOOP(32, LOADS_##count)                      \
				 : [n] "+r"(n), REGS_##count                  \
				 :                                            \
				 : "memory", "cc");                           \
		return turns * count * ROUNDS;                                \
	}

DEFINE_STREAMS(1)
DEFINE_STREAMS(2)
DEFINE_STREAMS(3)
DEFINE_STREAMS(4)
DEFINE_STREAMS(5)
DEFINE_STREAMS(6)
DEFINE_STREAMS(7)
DEFINE_STREAMS(8)
DEFINE_STREAMS(9)
DEFINE_STREAMS(10)

#define SPARE_11(what) what(10)
#define SPARE_12(what) SPARE_11(what) what(11)
#define SPARE_13(what) SPARE_12(what) what(12)
#define SPARE_14(what) SPARE_13(what) what(13)
#define SPARE_15(what) SPARE_14(what) what(14)
#define SPARE_16(what) SPARE_15(what) what(15)

#define DEFINE_MORE_STREAMS(count)                                            \
	static size_t streams_##count(struct hp_walk *walk, size_t loads)     \
	{                                                                     \
		size_t turns = trips(loads, (size_t)count * ROUNDS);          \
		size_t n = turns;                                             \
		uintptr_t t = 0;                                              \
                                                                              \
		__asm__ volatile(                                             \
			SPARE_##count(HP_SPARE_GET)                           \
			LOOP(32, LOADS_10 SPARE_##count(HP_SPARE_STEP))       \
			SPARE_##count(HP_SPARE_PUT)                           \
			: [n] "+r"(n), [t] "+r"(t), REGS_10                   \
			: [at] "r"(walk->at)                                  \
			: HP_SPARE_CLOBBERS, "memory", "cc");                 \
		return turns * count * ROUNDS;                                \
	}

DEFINE_MORE_STREAMS(11)
DEFINE_MORE_STREAMS(12)
DEFINE_MORE_STREAMS(13)
DEFINE_MORE_STREAMS(14)
DEFINE_MORE_STREAMS(15)
DEFINE_MORE_STREAMS(16)

static size_t sites_128(struct hp_walk *walk, size_t loads)
{
	size_t turns = trips(loads, MANY_SITES);
	size_t n = turns;

	__asm__ volatile(LOOP(128, LOADS_1)
			 : [n] "+r"(n), REGS_1
			 :
			 : "memory", "cc");
	return turns * MANY_SITES;
}

static size_t masked(struct hp_walk *walk, size_t loads)
{
	size_t turns = trips(loads, ROUNDS);
	size_t n = turns;

	__asm__ volatile(LOOP(32, HP_MASKED)
			 : [n] "+r"(n), REGS_1
			 : [key] "r"(walk->key)
			 : "memory", "cc");
	return turns * ROUNDS;
}

static size_t random_words(struct hp_walk *walk, size_t loads)
{
	size_t turns = trips(loads, ROUNDS);
	size_t n = turns;
	uint64_t i = (walk->carried ^ walk->counter) & walk->mask;

	__asm__ volatile(LOOP(32, HP_RANDOM)
			 : [n] "+r"(n), [i] "+&r"(i),
			   [k] "+&r"(walk->counter),
			   [last] "=&r"(walk->carried)
			 : [base] "r"(walk->base), [mask] "r"(walk->mask),
			   [c] "r"(0x9e3779b97f4a7c15u)
			 : "memory", "cc");
	return turns * ROUNDS;
}

/* One stretch of the table; @steps is a multiple of MANY_SITES. */
static void blind_stretch(struct hp_walk *walk, size_t steps)
{
	const uint64_t *table = walk->table + walk->entry;
	size_t n = steps / MANY_SITES;
	uint64_t o;

	__asm__ volatile(LOOP(128, HP_BLIND)
			 : [n] "+r"(n), [table] "+&r"(table), [o] "=&r"(o),
			   [t] "+&r"(walk->carried)
			 : [base] "r"(walk->base), [z] "r"(walk->zero)
			 : "memory", "cc");
}

static void blind_step(struct hp_walk *walk)
{
	const uint64_t *table = walk->table + walk->entry;
	uint64_t o;

	__asm__ volatile(HP_BLIND
			 : [table] "+&r"(table), [o] "=&r"(o),
			   [t] "+&r"(walk->carried)
			 : [base] "r"(walk->base), [z] "r"(walk->zero)
			 : "memory", "cc");
}

static size_t blind(struct hp_walk *walk, size_t loads)
{
	size_t done = 0;

	while (done < loads) {
		size_t left = hp_min(loads - done,
				     walk->entries - walk->entry);
		size_t steps = hp_align_down(left, MANY_SITES);

		if (steps) {
			blind_stretch(walk, steps);
		} else {
			blind_step(walk);
			steps = 1;
		}
		walk->entry = (walk->entry + steps) % walk->entries;
		done += steps;
	}
	return done;
}

#define STREAMS(n)                                                            \
	{                                                                     \
		"streams" #n, streams_##n, n, ROUNDS,                         \
			#n " raw chains in registers"                         \
	}

static const struct hp_kernel stream_kernels[HP_CHAIN_STREAMS_MAX] = {
	STREAMS(1),  STREAMS(2),  STREAMS(3),  STREAMS(4),
	STREAMS(5),  STREAMS(6),  STREAMS(7),  STREAMS(8),
	STREAMS(9),  STREAMS(10), STREAMS(11), STREAMS(12),
	STREAMS(13), STREAMS(14), STREAMS(15), STREAMS(16),
};

static const struct hp_kernel named_kernels[] = {
	{ "raw", streams_1, 1, ROUNDS, "follow stored pointers" },
	{ "masked", masked, 1, ROUNDS, "follow pointers stored XOR a key" },
	{ "sites", sites_128, 1, MANY_SITES,
	  "follow stored pointers from 128 load instructions" },
	{ "random", random_words, 1, ROUNDS,
	  "random words with replacement, index from the last word" },
	{ "blind", blind, 1, MANY_SITES,
	  "read only, order from a table, content without influence" },
};

const struct hp_kernel *hp_kernel_find(const char *name)
{
	for (size_t i = 0; i < HP_ARRAY_SIZE(named_kernels); i++)
		if (!strcmp(named_kernels[i].name, name))
			return &named_kernels[i];
	return NULL;
}

const struct hp_kernel *hp_kernel_streams(unsigned int n)
{
	if (n < 1 || n > HP_CHAIN_STREAMS_MAX)
		return NULL;
	return &stream_kernels[n - 1];
}
