/* SPDX-License-Identifier: MIT */
#include "probe/clock.h"

#include <stddef.h>

enum { ADDS = 8000, TRIES = 3, CLOCK_READS = 200, RAMP_NS = 50000000 };

/* Least time of each length: interruptions can only add. */
struct adds {
	double once, twice;
};

static const struct adds nothing_yet = {1e18, 1e18};

#if defined(__x86_64__)
#define ADD "add %[one], %[sum]\n\t"
#elif defined(__aarch64__)
#define ADD "add %[sum], %[sum], %[one]\n\t"
#else
#error "the add chain is written for x86-64 and AArch64"
#endif

/* Blocks of 32, so that the loop around them costs little. */
static void add_chain(size_t adds)
{
	uint64_t sum = 0, one = 1;

	for (size_t i = 0; i < adds / 32; i++)
		__asm__ volatile(".rept 32\n\t" ADD ".endr"
				 : [sum] "+r"(sum)
				 : [one] "r"(one)
				 : "cc");
}

static double time_adds(size_t adds)
{
	uint64_t start = hp_clock_ns();

	add_chain(adds);
	return (double)(hp_clock_ns() - start);
}

static void adds_try(struct adds *best)
{
	double once = time_adds(ADDS);
	double twice = time_adds(2 * ADDS);

	best->once = once < best->once ? once : best->once;
	best->twice = twice < best->twice ? twice : best->twice;
}

static double adds_cycle_ns(const struct adds *best)
{
	return (best->twice - best->once) / ADDS;
}

double hp_clock_cycle_ns(void)
{
	struct adds best = nothing_yet;

	for (unsigned int i = 0; i < TRIES; i++)
		adds_try(&best);
	return adds_cycle_ns(&best);
}

int hp_clock_steady(double before, double after)
{
	double slack = 0.05 * before;

	return before > 0 && after > 0 && after - before <= slack &&
	       before - after <= slack;
}

static double read_cost(void)
{
	uint64_t least = UINT64_MAX, start = hp_clock_ns();

	/* Sixteen reads a sample: a coarse clock must not look free. */
	for (unsigned int i = 0; i < CLOCK_READS; i++) {
		uint64_t end = start;

		for (unsigned int k = 0; k < 16; k++)
			end = hp_clock_ns();
		if (end > start && end - start < least)
			least = end - start;
		start = hp_clock_ns();
	}
	return least == UINT64_MAX ? 0 : (double)least / 16;
}

void hp_clock_calibrate(struct hp_clock *clock)
{
	uint64_t until = hp_clock_ns() + RAMP_NS;
	struct adds best = nothing_yet;

	do
		adds_try(&best);
	while (hp_clock_ns() < until);
	clock->cycle_ns = adds_cycle_ns(&best);
	clock->read_ns = read_cost();
}
