/* SPDX-License-Identifier: MIT */
/*
 * common.h - arithmetic and attributes every file may use; no state
 */
#ifndef HP_COMMON_H
#define HP_COMMON_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HP_EXPORT __attribute__((visibility("default")))
/* of one library, so that no address is looked up in its table */
#define HP_HIDDEN __attribute__((visibility("hidden")))
#define HP_MUST_CHECK __attribute__((warn_unused_result))
#define HP_LIKELY(x) __builtin_expect(!!(x), 1)
#define HP_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define HP_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* a word other threads change meanwhile: one load or store, in no order */
#define HP_READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define HP_WRITE_ONCE(x, value) __atomic_store_n(&(x), value, __ATOMIC_RELAXED)

#define HP_KIB ((size_t)1 << 10)
#define HP_MIB ((size_t)1 << 20)
#define HP_GIB ((size_t)1 << 30)

/* @align is a power of two; wraps to 0 when @n is within @align of SIZE_MAX */
static inline size_t hp_align_up(size_t n, size_t align)
{
	return (n + align - 1) & ~(align - 1);
}

static inline size_t hp_align_down(size_t n, size_t align)
{
	return n & ~(align - 1);
}

static inline bool hp_is_aligned(size_t n, size_t align)
{
	return (n & (align - 1)) == 0;
}

static inline bool hp_is_pow2(size_t n)
{
	return n && !(n & (n - 1));
}

/* floor(log2(@n)); @n must not be 0 */
static inline unsigned int hp_log2(size_t n)
{
	return 63 - (unsigned int)__builtin_clzll((unsigned long long)n);
}

static inline size_t hp_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static inline size_t hp_max(size_t a, size_t b)
{
	return a > b ? a : b;
}

#endif
