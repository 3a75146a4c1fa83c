/* SPDX-License-Identifier: MIT */
#include "preload/demand.h"

#include <string.h>

#include "libhp/backing.h"
#include "libhp/common.h"
#include "libhp/heap.h"
#include "libhp/ladder.h"
#include "libhp/linux.h"
#include "libhp/quiet.h"
#include "libhp/size.h"
#include "libhp/syscall.h"
#include "libhp/text.h"

#define STATUS_REFUSED 125

/* a page of the pool, populated, or the reason why not */
static enum hp_reason try_pool(size_t size)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
		    (int)(hp_log2(size) << MAP_HUGE_SHIFT);
	long addr =
		hp_linux_map(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	int ret;

	if (hp_linux_failed(addr))
		return hp_ladder_reason((int)-addr, false, false);
	ret = hp_linux_populate((void *)addr, size);
	hp_linux_unmap((void *)addr, size);
	return ret < 0 ? hp_ladder_reason(-ret, true, false) : HP_REASON_NONE;
}

static bool make_thp(void *slot, size_t size)
{
	struct hp_backing b;

	hp_linux_advise(slot, size, MADV_HUGEPAGE);
	*(volatile char *)slot = 0;
	if (hp_backing_query(slot, size, &b) == 0 && b.huge == size)
		return true;
	return hp_linux_collapse(slot, size) == 0;
}

static enum hp_reason try_thp(const struct hp_pagesizes *ps)
{
	enum hp_reason reason = hp_pagesizes_thp_reason(ps);
	long addr;
	bool made;

	if (reason != HP_REASON_NONE)
		return reason;
	addr = hp_linux_map(NULL, 2 * ps->pmd, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hp_linux_failed(addr))
		return HP_REASON_NO_CONTIGUOUS;
	made = make_thp((void *)hp_align_up((size_t)addr, ps->pmd), ps->pmd);
	hp_linux_unmap((void *)addr, 2 * ps->pmd);
	return made ? HP_REASON_NONE : HP_REASON_NO_CONTIGUOUS;
}

static void append_rung(char *line, size_t size, const struct hp_rung *rung,
			enum hp_reason reason)
{
	char name[HP_SIZE_TEXT];

	hp_text_append(line, size, " ");
	hp_text_append(line, size,
		       rung->hugetlb ? hp_size_format(rung->size, name)
				     : "thp");
	hp_text_append(line, size, ": ");
	hp_text_append(line, size, hp_reason_text(reason));
	hp_text_append(line, size, ";");
}

static void refuse(const char *line)
{
	hp_quiet_say(line);
	hp_syscall(SYS_exit_group, STATUS_REFUSED);
}

void hp_demand_first_slot(const struct hp_context *context)
{
	const struct hp_pagesizes *ps = &context->pagesizes;
	char line[512] = "libhp: LIBHP_MODE=on, but no huge page can be had:";
	struct hp_ladder ladder;

	if (hp_heap_closed)
		refuse("libhp: LIBHP_MODE=on, but there is too little address "
		       "space for a heap on huge pages\n");
	hp_ladder_build(&ladder, &context->options, ps);
	for (unsigned int i = 0; i < ladder.n; i++) {
		const struct hp_rung *rung = &ladder.rungs[i];
		enum hp_reason reason =
			rung->hugetlb ? try_pool(rung->size) : try_thp(ps);

		if (reason == HP_REASON_NONE)
			return;
		append_rung(line, sizeof(line), rung, reason);
	}
	if (ladder.n == 0)
		hp_text_append(line, sizeof(line),
			       " LIBHP_PAGES names none this machine has;");
	hp_text_append(line, sizeof(line), " see hpdoctor\n");
	refuse(line);
}
