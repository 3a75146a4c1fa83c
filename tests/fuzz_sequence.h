/* SPDX-License-Identifier: MIT */
/*
 * fuzz_sequence.h - random calls of the mmap family, one after the other
 *
 * trace_hash is a hash of all that the sequence saw: results, errno, contents,
 * faults, final maps. All it mapped is gone in the end.
 */
#ifndef TESTS_FUZZ_SEQUENCE_H
#define TESTS_FUZZ_SEQUENCE_H

#include "tests/fuzz_move.h"

#define STEPS 40

/* bytes, or a seed where they are NULL */
struct input {
	const uint8_t *bytes;
	size_t len;
	uint64_t seed;
};

static const struct {
	void (*run)(void);
	unsigned int weight;
} ops[] = {
	{op_map, 24},	     {op_map_badly, 1}, {op_unmap, 12},
	{op_protect, 12},    {op_advise, 12},	{op_access, 20},
	{op_write_from, 2},  {op_lock, 3},	{op_sync, 3},
	{op_map_fixed, 8},   {op_resize, 6},	{op_move_fixed, 4},
	{op_remap_badly, 1}, {op_fork, 1},
};

static bool skipped[STEPS];
static bool forks = true;

static void step(unsigned int i)
{
	unsigned int dice = below(109), op = 0;

	while (dice >= ops[op].weight)
		dice -= ops[op++].weight;
	if (verbose)
		note("%u: ", i);
	if (ops[op].run != op_fork || forks)
		ops[op].run();
	if (verbose)
		note("\n");
}

static struct draw draw_step(const struct input *in, unsigned int i)
{
	return in->bytes ? draw_bytes(in->bytes, in->len, i)
			 : draw_seed(in->seed * STEPS + i);
}

/* smaps costs more than all the rest: the flags in it are looked at now and
 * then */
static bool wants_flags(const struct input *in)
{
	return (in->bytes ? in->bytes[in->len - 1] : in->seed) % 8 == 0;
}

static void sequence(const struct input *in)
{
	size_t steps = in->bytes ? draw_steps(in->len) : STEPS;

	trace_hash = 0;
	locks = false;
	if (ftruncate(file, 0) < 0 ||
	    ftruncate(file, (off_t)(FILE_PAGES * page_size)) < 0)
		_exit(3);
	for (unsigned int i = 0; i < STEPS && i < steps; i++) {
		draw = draw_step(in, i);
		if (!skipped[i])
			step(i);
	}
	note_contents();
	if (alone)
		note_vmas(wants_flags(in));
	drop_all();
}

#endif
