/* SPDX-License-Identifier: MIT */
#include "libhp/doctor/view.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "libhp/common.h"
#include "libhp/tool/tool.h"

#define ENOUGH 90 /* percent of private memory */
#define TRIFLE 2  /* slots: not worth a word */

static bool is_whole(const struct hp_stretch *s, uint64_t slot)
{
	return s->start % slot == 0 && s->end % slot == 0;
}

/* smaps marks memory of a file that was copied on write as the file's, too */
enum hp_why hp_view_why(const struct hp_view *view,
			const struct hp_smaps *mapping,
			const struct hp_stretch *stretch)
{
	if (mapping->file || mapping->shared)
		return HP_WHY_FILE;
	if (!is_whole(stretch, view->ps.pmd))
		return HP_WHY_UNALIGNED;
	if (mapping->refused)
		return HP_WHY_ADVICE;
	if (view->target.thp == 0)
		return HP_WHY_PRCTL;
	switch (hp_pagesizes_thp_reason(&view->ps)) {
	case HP_REASON_SIZE_DISABLED:
		return HP_WHY_SIZE;
	case HP_REASON_SYSFS_NEVER:
		return HP_WHY_SYSFS;
	default:
		break;
	}
	if (!mapping->advised && (view->ps.thp_pmd == HP_THP_MADVISE ||
				  (view->ps.thp_pmd == HP_THP_INHERIT &&
				   view->ps.thp == HP_THP_MADVISE)))
		return HP_WHY_NOT_ASKED;
	return HP_WHY_POSSIBLE;
}

/* of an unknown mapping all or nothing may be huge, which is then known */
static enum hp_kind kind_of(const struct hp_smaps *mapping,
			    const struct hp_stretch *s)
{
	if (s->present == 0)
		return HP_KIND_ABSENT;
	if (mapping->is_hugetlb)
		return HP_KIND_HUGETLB;
	if (s->huge == 0 && !(s->unknown && mapping->thp))
		return HP_KIND_SMALL;
	return s->huge == s->present ? HP_KIND_HUGE : HP_KIND_UNKNOWN;
}

static bool joins(const struct hp_range *last, const struct hp_range *next)
{
	return last->end == next->start && last->kind == next->kind &&
	       last->why == next->why && last->whole == next->whole &&
	       !strcmp(last->name, next->name);
}

static void count(struct hp_sum *sum, const struct hp_range *r)
{
	sum->size += r->end - r->start;
	sum->present += r->present;
}

static struct hp_range *new_range(struct hp_view *view)
{
	if (view->n == view->room) {
		view->room = view->room ? 2 * view->room : 256;
		view->ranges = reallocarray(view->ranges, view->room,
					    sizeof(*view->ranges));
		if (!view->ranges)
			err(HP_TOOL_ERROR, "%zu ranges", view->room);
	}
	return &view->ranges[view->n++];
}

static void add_range(struct hp_view *view, const struct hp_range *next)
{
	struct hp_range *last = view->n ? &view->ranges[view->n - 1] : NULL;
	bool joined = last && joins(last, next);

	count(&view->kinds[next->kind], next);
	count(&view->small[next->why], next);
	view->kinds[next->kind].ranges += !joined;
	view->small[next->why].ranges += !joined;
	if (joined) {
		last->end = next->end;
		last->present += next->present;
	} else {
		*new_range(view) = *next;
	}
}

static void add_stretch(const struct hp_smaps *mapping,
			const struct hp_stretch *s, void *arg)
{
	struct hp_view *view = arg;
	struct hp_range r = {
		.start = s->start,
		.end = s->end,
		.present = s->present,
		.kind = kind_of(mapping, s),
		.whole = is_whole(s, view->ps.pmd),
	};

	if (r.kind == HP_KIND_SMALL)
		r.why = hp_view_why(view, mapping, s);
	memcpy(r.name, mapping->name, sizeof(r.name));
	view->has_libhp |= strstr(mapping->name, "/libhp-preload.so") != NULL;
	add_range(view, &r);
}

int hp_view_read(pid_t pid, struct hp_view *out)
{
	int ret;

	*out = (struct hp_view){0};
	hp_pagesizes_read_thp(&out->ps);
	out->ps.prctl = 0; /* ours says nothing of the target's */
	ret = hp_target_look(pid, &out->target);
	if (ret == 0 && out->target.kernel)
		ret = -ENODATA;
	if (ret)
		return ret;
	out->has_total = hp_process_query(pid, &out->total) == 0;
	ret = hp_memory_walk(pid, out->ps.pmd, add_stretch, out);
	if (ret)
		hp_view_clear(out);
	return ret;
}

void hp_view_clear(struct hp_view *view)
{
	free(view->ranges);
	view->ranges = NULL;
	view->n = view->room = 0;
}

/* private memory that is small */
static uint64_t missed(const struct hp_view *view)
{
	uint64_t sum = 0;

	for (int why = HP_WHY_UNALIGNED; why < HP_WHY_COUNT; why++)
		sum += view->small[why].present;
	return sum;
}

enum hp_verdict hp_view_verdict(const struct hp_view *view)
{
	uint64_t huge = view->kinds[HP_KIND_HUGE].present +
			view->kinds[HP_KIND_HUGETLB].present;
	uint64_t lost = missed(view);
	bool forbidden = view->small[HP_WHY_PRCTL].present ||
			 view->small[HP_WHY_SIZE].present ||
			 view->small[HP_WHY_SYSFS].present;

	if (huge == 0 && forbidden)
		return HP_VERDICT_CANNOT;
	if (view->kinds[HP_KIND_UNKNOWN].present)
		return HP_VERDICT_LIMITED;
	if (lost > TRIFLE * view->ps.pmd &&
	    lost * 100 > (huge + lost) * (100 - ENOUGH))
		return HP_VERDICT_LIMITED;
	return HP_VERDICT_GOOD;
}

const char *hp_kind_text(enum hp_kind kind)
{
	static const char *const words[HP_KIND_COUNT] = {
		"absent", "small", "huge", "hugetlb", "unknown",
	};

	return words[kind];
}

const char *hp_why_text(enum hp_why why)
{
	static const char *const words[HP_WHY_COUNT] = {
		[HP_WHY_NONE] = "",
		[HP_WHY_FILE] = "file",
		[HP_WHY_UNALIGNED] = "unaligned",
		[HP_WHY_ADVICE] = "program-advice",
		[HP_WHY_PRCTL] = "prctl",
		[HP_WHY_SIZE] = "size-disabled",
		[HP_WHY_SYSFS] = "sysfs-never",
		[HP_WHY_NOT_ASKED] = "not-asked",
		[HP_WHY_POSSIBLE] = "possible",
	};

	return words[why];
}

const char *hp_why_meaning(enum hp_why why)
{
	static const char *const lines[HP_WHY_COUNT] = {
		[HP_WHY_NONE] = "",
		[HP_WHY_FILE] = "pages of files or shared memory",
		[HP_WHY_UNALIGNED] = "no whole slot of one mapping",
		[HP_WHY_ADVICE] = "the program said MADV_NOHUGEPAGE",
		[HP_WHY_PRCTL] = "PR_SET_THP_DISABLE; start it without",
		[HP_WHY_SIZE] = "THP of a slot's size is never; see hpdoctor",
		[HP_WHY_SYSFS] = "THP is never; hppromote can still do it",
		[HP_WHY_NOT_ASKED] = "THP is madvise and nobody asked; hprun "
				     "does, or hppromote",
		[HP_WHY_POSSIBLE] = "nothing known is against it; hppromote "
				    "does it now",
	};

	return lines[why];
}
