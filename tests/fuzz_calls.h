/* SPDX-License-Identifier: MIT */
/*
 * fuzz_calls.h - the calls a fuzzed sequence makes, and of whom
 *
 * Of libc, which libhp may have replaced; or, for a twin in the same process, of
 * the kernel itself.
 */
#ifndef TESTS_FUZZ_CALLS_H
#define TESTS_FUZZ_CALLS_H

#include <sys/mman.h>
#include <sys/types.h>

struct calls {
	void *(*mmap)(void *, size_t, int, int, int, off_t);
	int (*munmap)(void *, size_t);
	void *(*mremap)(void *, size_t, size_t, int, ...);
	int (*mprotect)(void *, size_t, int);
	int (*madvise)(void *, size_t, int);
	int (*posix_madvise)(void *, size_t, int);
	int (*mlock)(const void *, size_t);
	int (*mlock2)(const void *, size_t, unsigned int);
};

static const struct calls calls_of_libc = {
	mmap, munmap, mremap, mprotect, madvise, posix_madvise, mlock, mlock2,
};

static const struct calls *via = &calls_of_libc;

#endif
