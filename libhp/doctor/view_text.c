/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "libhp/common.h"
#include "libhp/doctor/show.h"
#include "libhp/doctor/view.h"
#include "libhp/tool/tool.h"
#include "preload/quote.h"

static void show_head(FILE *out, const struct hp_view *view)
{
	const struct hp_target *t = &view->target;
	char shown[200];

	fprintf(out, "%s: PID %d, %s\n", hp_verdict_text(hp_view_verdict(view)),
		(int)t->pid,
		hp_quote_line(t->exe[0] ? t->exe : t->name, shown,
			      sizeof(shown)));
	fprintf(out, "libhp %s; THP of the process %s\n",
		view->has_libhp ? "is loaded" : "is not loaded",
		t->thp < 0   ? "unknown"
		: t->thp > 0 ? "allowed"
			     : "disabled by prctl");
}

static void show_total(FILE *out, const struct hp_view *view)
{
	const struct hp_process_backing *p = &view->total;
	char present[HP_TOOL_BYTES], huge[HP_TOOL_BYTES],
		hugetlb[HP_TOOL_BYTES];

	if (!view->has_total || p->present == 0) {
		fputs("coverage unknown\n", out);
		return;
	}
	fprintf(out,
		"coverage %.1f %%: %s of %s present is huge (hugetlb %s)\n",
		100 * (double)p->huge / (double)p->present,
		hp_tool_bytes(p->huge, huge),
		hp_tool_bytes(p->present, present),
		hp_tool_bytes(p->hugetlb, hugetlb));
}

/* what libhp leaves small it had a reason for, which only its report knows */
static const char *meaning(const struct hp_view *view, enum hp_why why)
{
	if (why == HP_WHY_NOT_ASKED && view->has_libhp)
		return "THP is madvise and libhp did not ask; hprun --report "
		       "says why";
	return hp_why_meaning(why);
}

static void show_small(FILE *out, const struct hp_view *view)
{
	char present[HP_TOOL_BYTES];

	for (int why = HP_WHY_FILE; why < HP_WHY_COUNT; why++) {
		const struct hp_sum *s = &view->small[why];

		if (s->present)
			fprintf(out, "  small %10s  %-14s  %s\n",
				hp_tool_bytes(s->present, present),
				hp_why_text(why),
				meaning(view, (enum hp_why)why));
	}
}

/* the end of a long path tells more than its beginning */
static const char *tail(const char *name, size_t most)
{
	size_t len = strlen(name);

	return len > most ? name + len - most : name;
}

static void show_range(FILE *out, const struct hp_view *view,
		       const struct hp_range *r)
{
	char present[HP_TOOL_BYTES], shown[HP_SMAPS_NAME];
	double slots = (double)(r->end - r->start) / (double)view->ps.pmd;

	fprintf(out, "%012jx-%012jx %8.*f %10s %-7s %-14s %s\n",
		(uintmax_t)r->start, (uintmax_t)r->end, r->whole ? 0 : 1, slots,
		hp_tool_bytes(r->present, present), hp_kind_text(r->kind),
		hp_why_text(r->why),
		tail(hp_quote_line(r->name, shown, sizeof(shown)), 24));
}

/* what says nothing of huge pages unless somebody wants every line */
static bool is_minor(const struct hp_range *r)
{
	return !r->whole || r->why == HP_WHY_FILE;
}

void hp_view_text(FILE *out, const struct hp_view *view, bool all)
{
	size_t left_out = 0;

	show_head(out, view);
	show_total(out, view);
	show_small(out, view);
	fprintf(out, "\n%-25s %8s %10s %-7s %-14s %s\n", "range", "slots",
		"present", "kind", "reason", "mapping");
	for (size_t i = 0; i < view->n; i++) {
		const struct hp_range *r = &view->ranges[i];

		if (all || !is_minor(r))
			show_range(out, view, r);
		else
			left_out++;
	}
	if (left_out)
		fprintf(out, "%zu ranges of files or below a slot: --all\n",
			left_out);
}
