/* SPDX-License-Identifier: MIT */
/*
 * buddy.h - free memory and the pieces it is in, from /proc/buddyinfo
 */
#ifndef HP_BUDDY_H
#define HP_BUDDY_H

#include <stddef.h>
#include <stdint.h>

#define HP_BUDDY_PATH "/proc/buddyinfo"

struct hp_buddy {
	uint64_t slots; /* whole slots in free blocks of any zone */
	uint64_t free;	/* bytes in free blocks */
};

/**
 * hp_buddy_read - @base and @slot are bytes of a page and of a slot
 *
 * Pages on per-CPU lists are not seen. Return: 0; -ENODATA no zone in the
 * file; -EINVAL a line that is none; -errno.
 */
int hp_buddy_read(size_t base, size_t slot, struct hp_buddy *out);

#endif
