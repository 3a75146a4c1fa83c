/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/trial.h"

#include "libhp/common.h"
#include "libhp/doctor/room.h"
#include "libhp/hp.h"
#include "libhp/linux.h"
#include "libhp/textfile.h"

#define SHARE 8 /* of available memory at most one part in so many */

static int read_available(char *text, void *arg)
{
	return hp_text_field(text, "MemAvailable", arg) == 0;
}

/* bytes the trial may take */
static uint64_t budget(void)
{
	uint64_t kib, bytes = hp_linux_ram();

	if (hp_textfile_lines("/proc/meminfo", read_available, &kib) == 1)
		bytes = kib * HP_KIB;
	return hp_min(bytes, hp_room_here()) / SHARE;
}

/* @n slots, aligned; the caller unmaps @all of @len */
static char *map_slots(size_t slot, unsigned int n, char **all, size_t *len)
{
	long addr;

	*len = (n + 1) * slot;
	addr = hp_linux_map(NULL, *len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (hp_linux_failed(addr))
		return NULL;
	*all = (char *)addr;
	return (char *)hp_align_up((size_t)addr, slot);
}

/* as many as a limit on address space leaves, in halves */
static char *map_most(size_t slot, struct hp_trial *t, char **all, size_t *len)
{
	char *first = NULL;

	while (t->wanted && !first) {
		first = map_slots(slot, t->wanted, all, len);
		if (!first)
			t->wanted /= 2;
	}
	return first;
}

static enum hp_trial_result is_huge(const char *slot, size_t size)
{
	struct hp_backing b;

	if (hp_backing_query(slot, size, &b) || b.unknown || !b.present)
		return HP_TRIAL_UNKNOWN;
	return b.huge == size ? HP_TRIAL_YES : HP_TRIAL_NO;
}

static void touch_slots(char *first, size_t slot, struct hp_trial *t)
{
	for (; t->touched < t->wanted; t->touched++) {
		char *at = first + t->touched * slot;

		*(volatile char *)at = 1;
		switch (is_huge(at, slot)) {
		case HP_TRIAL_UNKNOWN:
			t->fault = HP_TRIAL_UNKNOWN;
			return;
		case HP_TRIAL_YES:
			t->huge++;
			break;
		case HP_TRIAL_NO:
			t->fault = HP_TRIAL_NO;
			break;
		}
	}
}

static void try_faults(size_t slot, struct hp_trial *t)
{
	size_t len;
	char *all, *first = map_most(slot, t, &all, &len);

	t->refused = !first;
	if (!first)
		return;
	t->advice = hp_linux_advise(first, t->wanted * slot, MADV_HUGEPAGE)
			    ? HP_TRIAL_NO
			    : HP_TRIAL_YES;
	t->fault = HP_TRIAL_YES;
	touch_slots(first, slot, t);
	hp_linux_unmap(all, len);
}

/* the huge zero page comes in between, unless that is switched off */
static void try_late_write(size_t slot, struct hp_trial *t)
{
	size_t len;
	char *all, *at = map_slots(slot, 1, &all, &len);

	if (!at)
		return;
	(void)hp_linux_advise(at, slot, MADV_HUGEPAGE);
	(void)*(volatile char *)at;
	*(volatile char *)at = 1;
	t->late = is_huge(at, slot);
	hp_linux_unmap(all, len);
}

/* small pages first, even where THP is "always" */
static void try_collapse(size_t slot, struct hp_trial *t)
{
	size_t len;
	char *all, *at = map_slots(slot, 1, &all, &len);

	if (!at)
		return;
	(void)hp_linux_advise(at, slot, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < slot; i += hp_linux_page_size())
		*(volatile char *)(at + i) = 1;
	(void)hp_linux_advise(at, slot, MADV_HUGEPAGE);
	t->collapse_error = hp_linux_collapse(at, slot);
	t->collapse = t->collapse_error ? HP_TRIAL_NO : is_huge(at, slot);
	hp_linux_unmap(all, len);
}

static int take_hugetlb(size_t size)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
		    (int)(hp_log2(size) << MAP_HUGE_SHIFT);
	long addr =
		hp_linux_map(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	int ret;

	if (hp_linux_failed(addr))
		return (int)addr;
	ret = hp_linux_populate((void *)addr, size);
	hp_linux_unmap((void *)addr, size);
	return ret;
}

/* zeroing a page of a gigabyte takes long; a free one is believed */
static bool is_too_large(const struct hp_pool *pool)
{
	return pool->size > 64 * HP_MIB;
}

static void try_pool(const struct hp_pool *pool, enum hp_trial_result *result)
{
	if (is_too_large(pool)) {
		if (pool->free != HP_UNKNOWN && pool->reserved != HP_UNKNOWN)
			*result =
				pool->free > pool->reserved &&
						pool->cgroup_free >= pool->size
					? HP_TRIAL_YES
					: HP_TRIAL_NO;
		return;
	}
	*result = take_hugetlb(pool->size) ? HP_TRIAL_NO : HP_TRIAL_YES;
}

void hp_trial_run(const struct hp_pagesizes *ps, unsigned int wanted,
		  struct hp_trial *out)
{
	*out = (struct hp_trial){.asked = wanted};
	if (wanted == 0)
		return;
	out->wanted = (unsigned int)hp_min(wanted, budget() / ps->pmd);
	out->skipped = out->wanted == 0;
	if (!out->skipped) {
		try_faults(ps->pmd, out);
		try_late_write(ps->pmd, out);
		try_collapse(ps->pmd, out);
	}
	for (unsigned int i = 0; i < ps->npools; i++)
		try_pool(&ps->pools[i], &out->hugetlb[i]);
}
