/* SPDX-License-Identifier: MIT */
/*
 * kernels.h - the timed loops: dependent loads written in assembly
 *
 * Every load is an inline assembly instruction, so the compiler can neither
 * drop, hoist nor widen it, and memory that other threads write may be read.
 * Chains use plain [register] addressing and every kernel is unrolled; there
 * are no fences inside. A call continues where the last one ended.
 * The file is compiled with flags of its own, whatever CFLAGS say.
 *
 * Cost on the critical path besides the load itself: raw and sites nothing,
 * masked one XOR, random XOR and AND, blind one AND and an indexed address.
 * "blind" walks memory whose content must not matter: the loaded value ANDed
 * with a register that holds 0 is added to the next address. AND, because
 * renamers drop XOR and SUB of a register with itself as independent of it.
 */
#ifndef HP_KERNELS_H
#define HP_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "probe/chain.h"

struct hp_walk {
	/* next address of each stream */
	uintptr_t at[HP_CHAIN_STREAMS_MAX];
	uint64_t key;	       /* masked: XOR of stored pointers */
	uintptr_t base;	       /* random: start of memory; blind: of offsets */
	uint64_t mask;	       /* random: words - 1 */
	uint64_t counter;      /* random: odd multiples so far */
	const uint64_t *table; /* blind: offsets in visiting order */
	size_t entries;	       /* blind: length of table */
	size_t entry;	       /* blind: next one to visit */
	uint64_t carried;      /* random, blind: last word loaded */
	volatile uint64_t zero; /* blind: a 0 nobody can predict */
};

/**
 * typedef hp_kernel_fn - run a kernel
 * @walk:  its state, advanced by the call
 * @loads: how many loads in all; rounded up to the kernel's granularity
 *
 * Return: loads made.
 */
typedef size_t hp_kernel_fn(struct hp_walk *walk, size_t loads);

struct hp_kernel {
	const char *name;
	hp_kernel_fn *run;
	unsigned int streams; /* independent chains walked at once */
	unsigned int sites;   /* distinct load instructions per chain */
	const char *help;
};

/**
 * hp_kernel_find - the kernel called @name
 * @name: "raw", "masked", "random", "blind", "sites"
 *
 * Return: the kernel, or NULL.
 */
const struct hp_kernel *hp_kernel_find(const char *name);

/**
 * hp_kernel_streams - the raw kernel that walks @n chains at once
 * @n: 1 .. HP_CHAIN_STREAMS_MAX
 *
 * Return: the kernel, or NULL when @n is out of range.
 */
const struct hp_kernel *hp_kernel_streams(unsigned int n);

#endif
