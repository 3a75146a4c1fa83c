/* SPDX-License-Identifier: MIT */
/*
 * mlockall.c - mlockall under a limit that libhp's own tables would break
 *
 * The kernel counts all address space against RLIMIT_MEMLOCK, and an allocator
 * with tables for a large heap has more of that than libc's has. A program
 * that fitted before must fit now: where the plain call fails for the limit,
 * everything but libhp's untouched tables is locked piece by piece.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "libhp/common.h"
#include "libhp/heap.h"
#include "libhp/linux.h"
#include "libhp/runs.h"
#include "libhp/textfile.h"
#include "preload/place.h"

static uintptr_t hex(const char **text)
{
	uintptr_t n = 0;

	for (;; (*text)++) {
		char c = **text;

		if (c >= '0' && c <= '9')
			n = n * 16 + (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			n = n * 16 + (uintptr_t)(c - 'a' + 10);
		else
			return n;
	}
}

/* our own code and tables */
static bool is_ours(uintptr_t start, uintptr_t end, const char *line)
{
	uintptr_t own = (uintptr_t)&hp_heap;

	return strstr(line, "libhp-preload.so") || (own >= start && own < end);
}

static int lock_range(uintptr_t start, uintptr_t end)
{
	return hp_linux_lock((void *)start, end - start, 0);
}

static int lock_used(unsigned int i)
{
	const struct hp_slot *slot = hp_slots_at(&hp_heap.slots, i);
	unsigned int pages = hp_heap.slots.pages;
	unsigned int shift = hp_heap.slots.page_shift;
	uintptr_t addr = hp_slots_addr(&hp_heap.slots, i);
	unsigned int first = hp_runs_next_set(slot->map, pages, 0);
	int ret = 0;

	while (first < pages && ret == 0) {
		unsigned int end = hp_runs_next_clear(slot->map, pages, first);

		ret = lock_range(addr + ((uintptr_t)first << shift),
				 addr + ((uintptr_t)end << shift));
		first = hp_runs_next_set(slot->map, pages, end);
	}
	return ret;
}

/*
 * In the heap only pages in use, and of the tables none. The kernel may have
 * joined what lies behind the heap to the same line.
 */
static int lock_heap(uintptr_t start, uintptr_t end)
{
	unsigned int i = hp_slots_index(&hp_heap.slots, start);
	uintptr_t border = hp_heap.slots.base + hp_heap.slots.bytes;
	int ret = 0;

	for (;
	     hp_slots_addr(&hp_heap.slots, i) < hp_min(end, border) && ret == 0;
	     i++)
		if (!(hp_slots_at(&hp_heap.slots, i)->flags & HP_SLOT_SPARSE))
			ret = lock_used(i);
	return ret == 0 && end > border ? lock_range(border, end) : ret;
}

/* "start-end perms ..."; mappings that cannot be read are not locked either */
static int lock_line(char *line, void *arg)
{
	const char *text = line;
	uintptr_t start = hex(&text), end = (text++, hex(&text));

	(void)arg;
	if (text[1] != 'r' || strstr(line, "[v") || is_ours(start, end, line))
		return 0;
	if (hp_heap_owns((void *)start))
		return lock_heap(start, end);
	return lock_range(start, end);
}

static int lock_pieces(int flags)
{
	int ret = hp_linux_lock_all(flags & ~MCL_CURRENT);

	if (ret < 0 && flags & MCL_FUTURE)
		return ret;
	ret = hp_textfile_lines("/proc/self/maps", lock_line, NULL);
	if (ret < 0)
		hp_linux_unlock_all();
	return ret;
}

/*
 * Every slot mapped from here on is locked: none ahead of need. And mappings
 * to come must not be put into slots that are there and not locked.
 */
static void lock_to_come(bool locks)
{
	HP_WRITE_ONCE(hp_heap.exact, locks);
	hp_place_lock(locks);
}

HP_EXPORT int mlockall(int flags)
{
	int ret = hp_linux_lock_all(flags);

	if (ret == -ENOMEM && flags & MCL_CURRENT && lock_pieces(flags) == 0)
		ret = 0;
	if (ret < 0) {
		errno = -ret;
		return -1;
	}
	lock_to_come(flags & MCL_FUTURE);
	return 0;
}

HP_EXPORT int munlockall(void)
{
	int ret = hp_linux_unlock_all();

	if (ret < 0) {
		errno = -ret;
		return -1;
	}
	lock_to_come(false);
	return 0;
}
