/* SPDX-License-Identifier: MIT */
/*
 * memory.h - slots of memory for tests, in states one can rely on
 */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libhp/common.h"
#include "libhp/hp.h"
#include "libhp/linux.h"
#include "tests/suite.h"

/* ck_assert() tells its runner of every success, too slow for a model's loops */
#define QUICK_ASSERT(x)                                                        \
	do {                                                                   \
		if (HP_UNLIKELY(!(x)))                                         \
			ck_abort_msg("%s", #x);                                \
	} while (0)

/* @n slots of address space, aligned to a slot; @advice 0 leaves it alone */
static inline char *map_slots(size_t n, int prot, int advice)
{
	size_t slot = hp_slot_size(), len = n * slot;
	char *raw = mmap(NULL, len + slot, prot, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	char *p;

	if (raw == MAP_FAILED)
		abort(); /* not ck_assert: also called outside tests */
	p = (char *)hp_align_up((uintptr_t)raw, slot);
	if (p > raw)
		munmap(raw, (size_t)(p - raw));
	munmap(p + len, (size_t)(raw + slot - p));
	if (advice)
		madvise(p, len, advice);
	return p;
}

/* @n slots of small pages, all present */
static inline char *small_slots(size_t n)
{
	char *p = map_slots(n, PROT_READ | PROT_WRITE, MADV_NOHUGEPAGE);

	memset(p, 1, n * hp_slot_size());
	return p;
}

/* can this slot be made huge at will? it is made so by force, whatever sysfs */
static inline bool collapse_slot(char *p)
{
	for (int i = 0; i < 100; i++) {
		int ret = hp_linux_collapse(p, hp_slot_size());

		if (ret == 0 || (ret != -EAGAIN && ret != -EBUSY))
			return ret == 0;
	}
	return false;
}

/* @n slots of THP; independent of the mode sysfs is in */
static inline char *huge_slots(size_t n)
{
	size_t slot = hp_slot_size();
	char *p = map_slots(n, PROT_READ | PROT_WRITE, MADV_HUGEPAGE);

	memset(p, 1, n * slot);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(collapse_slot(p + i * slot),
			      "the kernel gave no huge page");
	return p;
}

static inline bool have_collapse(void)
{
	char *p = map_slots(1, PROT_READ | PROT_WRITE, MADV_HUGEPAGE);
	bool can;

	p[0] = 1;
	can = collapse_slot(p);
	munmap(p, hp_slot_size());
	return can;
}

/* PAGEMAP_SCAN, Linux 6.7 */
static inline bool have_scan(void)
{
	struct hp_backing b;

	return hp_backing_query("", 1, &b) == 0 &&
	       b.source == HP_SOURCE_PAGEMAP_SCAN;
}

static inline bool file_says(const char *path, const char *word)
{
	char text[256] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n > 0 && strstr(text, word);
}

#endif
