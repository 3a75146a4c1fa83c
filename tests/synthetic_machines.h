/* SPDX-License-Identifier: MIT */
/*
 * synthetic_machines.h - processors and what must be found out about them
 */
#ifndef HP_SYNTHETIC_MACHINES_H
#define HP_SYNTHETIC_MACHINES_H

#include "libhp/common.h"
#include "probe/hp_granule.h"
#include "synthetic_tlb.h"

#define SYNTHETIC_PAGE 4096
#define PAGE SYNTHETIC_PAGE
#define SMALL_L2 16384
#define LARGE_L2 32768

/* what runs and what must come out; granule 0 = nothing can be known */
struct sample {
	struct synthetic_machine machine;
	size_t span, leaf, granule;
	enum hp_granule_diagnosis diagnosis;
};

static const struct sample plain = {
	{.base = PAGE,
	 .guest = PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{64, 4, false, false}, {1536, 12, true, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	PAGE,
	PAGE,
	HP_GRANULE_OK};

static const struct sample associative = {
	{.base = PAGE,
	 .guest = PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{96, 0, false, false}, {4096, 16, false, false}},
	 .l1_lines = 768,
	 .l2_lines = SMALL_L2},
	4 * HP_GIB,
	PAGE,
	PAGE,
	HP_GRANULE_OK};

static const struct sample coalescing = {
	{.base = PAGE,
	 .guest = PAGE,
	 .coalesce = 4,
	 .levels = 2,
	 .level = {{96, 0, false, false}, {4096, 16, false, false}},
	 .l1_lines = 768,
	 .l2_lines = SMALL_L2},
	4 * HP_GIB,
	PAGE,
	4 * PAGE,
	HP_GRANULE_COALESCED};

static const struct sample large = {
	{.base = PAGE,
	 .guest = 2 * HP_MIB,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{32, 4, false, false}, {1536, 12, true, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	2 * HP_MIB,
	2 * HP_MIB,
	HP_GRANULE_OK};

static const struct sample gigantic = {
	{.base = PAGE,
	 .guest = HP_GIB,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{8, 0, false, false}, {1024, 8, false, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4096 * HP_GIB,
	HP_GIB,
	HP_GIB,
	HP_GRANULE_OK};

static const struct sample host_4k_under_2m = {
	{.base = PAGE,
	 .guest = 2 * HP_MIB,
	 .host = PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{64, 4, false, false}, {1536, 12, true, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	2 * HP_MIB,
	PAGE,
	HP_GRANULE_HOST_LIMIT};

static const struct sample host_4k_under_1g = {
	{.base = PAGE,
	 .guest = HP_GIB,
	 .host = PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{96, 6, false, false}, {2048, 16, true, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	HP_GIB,
	PAGE,
	HP_GRANULE_HOST_LIMIT};

static const struct sample host_16k_under_2m = {
	{.base = PAGE,
	 .guest = 2 * HP_MIB,
	 .host = 4 * PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{160, 5, false, false}, {3072, 12, false, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	2 * HP_MIB,
	4 * PAGE,
	HP_GRANULE_HOST_LIMIT};

static const struct sample host_16k_under_1g = {
	{.base = PAGE,
	 .guest = HP_GIB,
	 .host = 4 * PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{160, 5, false, false}, {3072, 12, false, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	HP_GIB,
	4 * PAGE,
	HP_GRANULE_HOST_LIMIT};

/* 64 KiB of 4 KiB leaves with a hint the processor pays no heed to */
static const struct sample hinted = {
	{.base = PAGE,
	 .guest = PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{48, 0, false, false}, {2048, 8, false, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	PAGE,
	PAGE,
	HP_GRANULE_HINT_IGNORED};

/* base pages of 16 KiB, as on some arm64 kernels */
static const struct sample base_16k = {
	{.base = 4 * PAGE,
	 .guest = 4 * PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{160, 5, false, false}, {3072, 12, false, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	4 * PAGE,
	4 * PAGE,
	HP_GRANULE_OK};

static const struct sample random_victim = {
	{.base = PAGE,
	 .guest = PAGE,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{64, 4, false, true}, {1536, 12, true, true}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	PAGE,
	PAGE,
	HP_GRANULE_OK};

/* every other 2 MiB is in small host pages: there is no one granule */
static const struct sample two_sizes = {
	{.base = PAGE,
	 .guest = 2 * HP_MIB,
	 .host = PAGE,
	 .mixed = 2 * HP_MIB,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{64, 4, false, false}, {1536, 12, true, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	2 * HP_MIB,
	0,
	HP_GRANULE_INCONCLUSIVE};

/* four entries of a gigabyte hold the whole span: nothing ever misses */
static const struct sample all_covered = {
	{.base = PAGE,
	 .guest = HP_GIB,
	 .coalesce = 1,
	 .levels = 2,
	 .level = {{8, 0, false, false}, {1024, 8, false, false}},
	 .l1_lines = 768,
	 .l2_lines = LARGE_L2},
	4 * HP_GIB,
	HP_GIB,
	0,
	HP_GRANULE_INCONCLUSIVE};

#undef PAGE
#undef SMALL_L2
#undef LARGE_L2

#endif
