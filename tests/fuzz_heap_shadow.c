/* SPDX-License-Identifier: MIT */
/*
 * The malloc family of libhp-preload against a shadow of every block
 * (tests/fuzz_block.h), a call every DRAW_BYTES bytes of input.
 * libhp-preload's objects are linked in and watched for coverage.
 */
#include "tests/fuzz_block.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct thread t;

	t.seed = size;
	t.steps = draw_steps(size);
	for (t.step = 0; t.step < t.steps; t.step++) {
		t.draw = draw_bytes(data, size, t.step);
		step(&t);
	}
	give_each(&t, t.blocks, BLOCKS);
	give_each(&t, shared, SHARED);
	return 0;
}
